import { z } from "zod";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import {
  type Connector,
  ConnectorError,
  consentColumns,
  maxLists,
  type RemoteContact,
  type RemoteList,
  sortListsByName,
} from "./connector.ts";
import { fetchConnectorJson } from "./fetch-connector-json.server.ts";

const { version } = serviceApis.hubspot;
const hubspotOrigin = "https://api.hubapi.com";

/** HubSpot's object type id of contacts. */
const contacts = "0-1";
const listsPerPage = 500;
/** A membership page holds up to 250 records, a batch read of contacts up to 100. */
const membersPerPage = 100;

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
        hs_email_optout: z.string().nullish(),
      }),
    }),
  ),
});

/**
 * Reads HubSpot's contact lists with a Service Key, or the token of an older private app, that has the scopes
 * `crm.lists.read` and `crm.objects.contacts.read`. Reference: developers.hubspot.com/docs/api-reference, Lists and
 * Contacts.
 */
export function hubspot(
  { accessToken }: { accessToken: string },
  { origin = hubspotOrigin, retryPolicy }: { origin?: string | undefined; retryPolicy?: RetryPolicy } = {},
): Connector {
  const request = <S extends z.ZodType>(path: string, schema: S, body?: unknown) => {
    const headers = { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
    const init = body === undefined ? {} : { method: "POST" as const, body: JSON.stringify(body) };
    return fetchConnectorJson({ url: new URL(path, origin), headers, ...init }, schema, retryPolicy);
  };

  /** HubSpot omits contacts deleted in the meantime from the response (207). */
  async function readContacts(ids: string[]): Promise<RemoteContact[]> {
    if (ids.length === 0) return [];
    const read = await request(`/crm/objects/${version}/contacts/batch/read`, batch, {
      properties: ["email", "phone", "mobilephone", "hs_email_optout"],
      inputs: ids.map((id) => ({ id })),
    });
    return read.results.map(({ properties: { email, phone, mobilephone, hs_email_optout: optOut } }) => ({
      email: email || null,
      phone: phone || mobilephone || null,
      consents: [optOut ?? null],
    }));
  }

  return {
    consentColumns: consentColumns.hubspot,
    async listLists() {
      const remoteLists: RemoteList[] = [];
      let offset = 0;
      let more = true;
      while (more && remoteLists.length < maxLists) {
        const page = await request(`/crm/lists/${version}/search`, lists, { query: "", count: listsPerPage, offset });
        for (const { listId, name, objectTypeId, additionalProperties } of page.lists) {
          if (objectTypeId !== contacts) continue;
          const size = Number(additionalProperties?.hs_list_size ?? Number.NaN);
          remoteLists.push({ id: listId, name, people: Number.isSafeInteger(size) ? size : null });
        }
        // Stops when the offset does not advance; the loop would not end otherwise.
        more = page.hasMore && page.offset > offset;
        offset = page.offset;
      }
      return sortListsByName(remoteLists);
    },
    async readPage(list, cursor) {
      if (!/^\d+$/.test(list)) throw new ConnectorError("list_not_found");
      const query = new URLSearchParams({ limit: String(membersPerPage), ...(cursor && { after: cursor }) });
      const page = await request(`/crm/lists/${version}/${list}/memberships?${query}`, memberships);
      const people = await readContacts(page.results.map(({ recordId }) => recordId));
      return { people, next: page.paging?.next?.after };
    },
  };
}
