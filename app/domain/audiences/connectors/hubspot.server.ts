import { z } from "zod";
import type { Patience } from "#app/outbound/send-patiently.server.ts";
import { askConnector } from "./ask-connector.server.ts";
import { byName, type Connector, ConnectorError, mostLists, type RemoteList, type RemotePerson } from "./connector.ts";

const hubspotOrigin = "https://api.hubapi.com";

/** HubSpot's name for contacts among its objects. */
const contacts = "0-1";
const listsInAPage = 500;
/** A membership page holds up to 250 records, a batch of contacts 100. */
const membersInAPage = 100;

const lists = z.object({
  lists: z.array(
    z.object({
      listId: z.coerce.string().min(1),
      name: z.string(),
      objectTypeId: z.string(),
      additionalProperties: z.object({ hs_list_size: z.string().nullish() }).nullish(),
    }),
  ),
  hasMore: z.boolean(),
  offset: z.number().int(),
});
const memberships = z.object({
  results: z.array(z.object({ recordId: z.coerce.string().min(1) })),
  paging: z.object({ next: z.object({ after: z.string() }).nullish() }).nullish(),
});
const batch = z.object({
  results: z.array(
    z.object({
      properties: z.object({
        email: z.string().nullish(),
        phone: z.string().nullish(),
        mobilephone: z.string().nullish(),
      }),
    }),
  ),
});

/**
 * HubSpot's lists of contacts, read with a private app's token that has the scopes `crm.lists.read` and
 * `crm.objects.contacts.read`. Written to developers.hubspot.com/docs/api-reference, Lists v3 and Contacts v3.
 */
export function hubspot(
  { accessToken }: { accessToken: string },
  { origin = hubspotOrigin, patience }: { origin?: string | undefined; patience?: Patience } = {},
): Connector {
  const ask = <S extends z.ZodType>(path: string, schema: S, body?: unknown) => {
    const headers = { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
    const given = body === undefined ? {} : { method: "POST" as const, body: JSON.stringify(body) };
    return askConnector({ url: new URL(path, origin), headers, ...given }, schema, patience);
  };

  /** Contacts that were deleted in the meantime are simply not in the answer (207). */
  async function readContacts(ids: string[]): Promise<RemotePerson[]> {
    if (ids.length === 0) return [];
    const read = await ask("/crm/v3/objects/contacts/batch/read", batch, {
      properties: ["email", "phone", "mobilephone"],
      inputs: ids.map((id) => ({ id })),
    });
    return read.results.map(({ properties: { email, phone, mobilephone } }) => ({
      email: email || null,
      phone: phone || mobilephone || null,
    }));
  }

  return {
    async listLists() {
      const found: RemoteList[] = [];
      let offset = 0;
      let more = true;
      while (more && found.length < mostLists) {
        const page = await ask("/crm/v3/lists/search", lists, { query: "", count: listsInAPage, offset });
        for (const { listId, name, objectTypeId, additionalProperties } of page.lists) {
          if (objectTypeId !== contacts) continue;
          const size = Number(additionalProperties?.hs_list_size ?? Number.NaN);
          found.push({ id: listId, name, people: Number.isSafeInteger(size) ? size : null });
        }
        // A page that does not move on would be asked for ever.
        more = page.hasMore && page.offset > offset;
        offset = page.offset;
      }
      return byName(found);
    },
    async readPage(list, cursor) {
      if (!/^\d+$/.test(list)) throw new ConnectorError("unknown_list");
      const query = new URLSearchParams({ limit: String(membersInAPage), ...(cursor && { after: cursor }) });
      const page = await ask(`/crm/v3/lists/${list}/memberships?${query}`, memberships);
      const people = await readContacts(page.results.map(({ recordId }) => recordId));
      return { people, next: page.paging?.next?.after };
    },
  };
}
