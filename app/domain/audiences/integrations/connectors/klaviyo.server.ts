import { z } from "zod";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import {
  type Connector,
  ConnectorError,
  consentColumns,
  maxLists,
  type RemoteList,
  sortListsByName,
} from "./connector.ts";
import { fetchConnectorJson } from "./fetch-connector-json.server.ts";

const revision = serviceApis.klaviyo.version;

const klaviyoOrigin = "https://a.klaviyo.com";

const links = z.object({ next: z.string().nullish() }).nullish();
const groups = z.object({
  data: z.array(z.object({ id: z.string().min(1), attributes: z.object({ name: z.string() }) })),
  links,
});
/** A suppressed profile may still be `SUBSCRIBED`: it must not be used all the same. */
const marketing = z
  .object({
    consent: z.string().nullish(),
    suppression: z.array(z.object({ reason: z.string().nullish() })).nullish(),
  })
  .nullish();
const profiles = z.object({
  data: z.array(
    z.object({
      attributes: z.object({
        email: z.string().nullish(),
        phone_number: z.string().nullish(),
        subscriptions: z
          .object({ email: z.object({ marketing }).nullish(), sms: z.object({ marketing }).nullish() })
          .nullish(),
      }),
    }),
  ),
  links,
});

const kinds = ["lists", "segments"] as const;
type Kind = (typeof kinds)[number];

/**
 * Reads Klaviyo's lists and segments with a private key that has the scopes `lists:read`, `segments:read` and
 * `profiles:read`. A list's id consists of its kind and Klaviyo's id: `lists/Y6nRLr`.
 */
export function klaviyo(
  { apiKey }: { apiKey: string },
  { origin = klaviyoOrigin, retryPolicy }: { origin?: string | undefined; retryPolicy?: RetryPolicy } = {},
): Connector {
  const headers = {
    Authorization: `Klaviyo-API-Key ${apiKey}`,
    revision,
    Accept: "application/vnd.api+json",
  };
  const get = <S extends z.ZodType>(path: string, query: Record<string, string>, schema: S) => {
    const url = new URL(`/api/${path}`, origin);
    url.search = String(new URLSearchParams(query));
    return fetchConnectorJson({ url, headers }, schema, retryPolicy);
  };

  async function listKind(kind: Kind): Promise<RemoteList[]> {
    const remoteLists: RemoteList[] = [];
    let cursor: string | undefined;
    do {
      const type = kind === "lists" ? "list" : "segment";
      const page = await get(kind, { [`fields[${type}]`]: "name", ...cursorParam(cursor) }, groups);
      for (const { id, attributes } of page.data) {
        remoteLists.push({ id: `${kind}/${id}`, name: attributes.name, people: null });
      }
      cursor = parseNextCursor(page.links?.next);
    } while (cursor !== undefined && remoteLists.length < maxLists);
    return remoteLists;
  }

  return {
    consentColumns: consentColumns.klaviyo,
    async listLists() {
      const [lists, segments] = [await listKind("lists"), await listKind("segments")];
      return sortListsByName([...lists, ...segments]);
    },
    async readPage(list, cursor) {
      if (!/^(lists|segments)\/[\w-]+$/.test(list)) throw new ConnectorError("list_not_found");
      const query = {
        "fields[profile]": "email,phone_number",
        "additional-fields[profile]": "subscriptions",
        "page[size]": "100",
        ...cursorParam(cursor),
      };
      const page = await get(`${list}/profiles`, query, profiles);
      return {
        people: page.data.map(({ attributes }) => ({
          email: attributes.email ?? null,
          phone: attributes.phone_number ?? null,
          consents: consentsOf(attributes.subscriptions),
        })),
        next: parseNextCursor(page.links?.next),
      };
    },
  };
}

function consentsOf(
  subscriptions: z.output<typeof profiles>["data"][number]["attributes"]["subscriptions"],
): (string | null)[] {
  const email = subscriptions?.email?.marketing;
  const reasons = (email?.suppression ?? []).map(({ reason }) => reason || "suppressed");
  return [email?.consent ?? null, reasons[0] ?? null, subscriptions?.sms?.marketing?.consent ?? null];
}

function cursorParam(cursor: string | undefined): Record<string, string> {
  return cursor === undefined ? {} : { "page[cursor]": cursor };
}

/** `next` is a whole URL. Only its cursor is used, so that a response cannot redirect requests to another host. */
function parseNextCursor(next: string | null | undefined): string | undefined {
  if (!next) return undefined;
  const cursor = URL.canParse(next) ? new URL(next).searchParams.get("page[cursor]") : null;
  if (!cursor) throw new ConnectorError("unexpected_response");
  return cursor;
}
