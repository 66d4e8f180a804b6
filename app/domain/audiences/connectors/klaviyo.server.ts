import { z } from "zod";
import type { Patience } from "#app/outbound/send-patiently.server.ts";
import { askConnector } from "./ask-connector.server.ts";
import { byName, type Connector, ConnectorError, mostLists, type RemoteList } from "./connector.ts";

/** Of the documentation this was written to: developers.klaviyo.com/en/reference, Lists, Segments. */
const revision = "2024-10-15";

const klaviyoOrigin = "https://a.klaviyo.com";

const links = z.object({ next: z.string().nullish() }).nullish();
const groups = z.object({
  data: z.array(z.object({ id: z.string().min(1), attributes: z.object({ name: z.string() }) })),
  links,
});
const profiles = z.object({
  data: z.array(
    z.object({ attributes: z.object({ email: z.string().nullish(), phone_number: z.string().nullish() }) }),
  ),
  links,
});

const kinds = ["lists", "segments"] as const;
type Kind = (typeof kinds)[number];

/**
 * Klaviyo's lists and segments, read with a private key that has the scopes `lists:read`, `segments:read` and
 * `profiles:read`. A list's id here is its kind and its own id: `lists/Y6nRLr`.
 */
export function klaviyo(
  { apiKey }: { apiKey: string },
  { origin = klaviyoOrigin, patience }: { origin?: string | undefined; patience?: Patience } = {},
): Connector {
  const headers = {
    Authorization: `Klaviyo-API-Key ${apiKey}`,
    revision,
    Accept: "application/vnd.api+json",
  };
  const get = <S extends z.ZodType>(path: string, query: Record<string, string>, schema: S) => {
    const url = new URL(`/api/${path}`, origin);
    url.search = String(new URLSearchParams(query));
    return askConnector({ url, headers }, schema, patience);
  };

  async function listKind(kind: Kind): Promise<RemoteList[]> {
    const found: RemoteList[] = [];
    let cursor: string | undefined;
    do {
      const type = kind === "lists" ? "list" : "segment";
      const page = await get(kind, { [`fields[${type}]`]: "name", ...pageAt(cursor) }, groups);
      for (const { id, attributes } of page.data) {
        found.push({ id: `${kind}/${id}`, name: attributes.name, people: null });
      }
      cursor = cursorOf(page.links?.next);
    } while (cursor !== undefined && found.length < mostLists);
    return found;
  }

  return {
    async listLists() {
      const [lists, segments] = [await listKind("lists"), await listKind("segments")];
      return byName([...lists, ...segments]);
    },
    async readPage(list, cursor) {
      if (!/^(lists|segments)\/[\w-]+$/.test(list)) throw new ConnectorError("unknown_list");
      const query = { "fields[profile]": "email,phone_number", "page[size]": "100", ...pageAt(cursor) };
      const page = await get(`${list}/profiles`, query, profiles);
      return {
        people: page.data.map(({ attributes }) => ({
          email: attributes.email ?? null,
          phone: attributes.phone_number ?? null,
        })),
        next: cursorOf(page.links?.next),
      };
    },
  };
}

function pageAt(cursor: string | undefined): Record<string, string> {
  return cursor === undefined ? {} : { "page[cursor]": cursor };
}

/** `next` is a whole address; only its cursor is taken, so that an answer can send us nowhere else. */
function cursorOf(next: string | null | undefined): string | undefined {
  if (!next) return undefined;
  const cursor = URL.canParse(next) ? new URL(next).searchParams.get("page[cursor]") : null;
  if (!cursor) throw new ConnectorError("unreadable");
  return cursor;
}
