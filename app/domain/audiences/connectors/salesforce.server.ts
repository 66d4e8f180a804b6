import { z } from "zod";
import type { Patience } from "#app/outbound/send-patiently.server.ts";
import { askConnector } from "./ask-connector.server.ts";
import { byName, type Connector, ConnectorError, mostLists } from "./connector.ts";

const version = "v61.0";
/** Not a campaign: every contact that may be mailed. */
const allContacts = "contacts";

/** It says 400 for credentials that are wrong (RFC 6749, 5.2). */
const refusal = z.object({ error: z.string() });
const token = z.object({ access_token: z.string().min(1) });
const campaigns = z.object({
  records: z.array(z.object({ Id: z.string().min(1), Name: z.string(), NumberOfContacts: z.number().nullish() })),
});
const person = z.object({
  Email: z.string().nullish(),
  Phone: z.string().nullish(),
  MobilePhone: z.string().nullish(),
});
const members = z.object({
  records: z.array(person),
  done: z.boolean(),
  nextRecordsUrl: z.string().nullish(),
});

/**
 * Salesforce's contacts, all or those of a campaign, read as a connected app with the client credentials flow (scope
 * `api`). `instanceUrl` is the organisation's My Domain. Written to developer.salesforce.com, REST API Developer Guide:
 * OAuth 2.0 Client Credentials Flow, Query, Query More Results.
 */
export function salesforce(
  { instanceUrl, consumerKey, consumerSecret }: { instanceUrl: string; consumerKey: string; consumerSecret: string },
  { patience }: { patience?: Patience } = {},
): Connector {
  let signedIn: Promise<string> | undefined;

  async function signIn(): Promise<string> {
    const body = String(
      new URLSearchParams({
        grant_type: "client_credentials",
        client_id: consumerKey,
        client_secret: consumerSecret,
      }),
    );
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const url = new URL("/services/oauth2/token", instanceUrl);
    return (await askConnector({ url, method: "POST", headers, body }, token, patience, refusal)).access_token;
  }

  async function get<S extends z.ZodType>(path: string, schema: S) {
    signedIn ??= signIn();
    const headers = { Authorization: `Bearer ${await signedIn}` };
    return askConnector({ url: new URL(path, instanceUrl), headers }, schema, patience);
  }

  const query = <S extends z.ZodType>(soql: string, schema: S) =>
    get(`/services/data/${version}/query?${new URLSearchParams({ q: soql })}`, schema);

  return {
    async listLists() {
      const soql = `SELECT Id, Name, NumberOfContacts FROM Campaign ORDER BY Name LIMIT ${mostLists - 1}`;
      const { records } = await query(soql, campaigns);
      const found = records.map(({ Id, Name, NumberOfContacts }) => ({
        id: Id,
        name: Name,
        people: NumberOfContacts ?? null,
      }));
      return [{ id: allContacts, name: "All contacts", people: null }, ...byName(found)];
    },
    async readPage(list, cursor) {
      const page = cursor === undefined ? await query(soqlOf(list), members) : await get(pathOf(cursor), members);
      const next = page.done ? undefined : page.nextRecordsUrl;
      return {
        people: page.records.map(({ Email, Phone, MobilePhone }) => ({
          email: Email ?? null,
          phone: MobilePhone || Phone || null,
        })),
        next: next ?? undefined,
      };
    },
  };
}

function soqlOf(list: string): string {
  const fields = "SELECT Email, Phone, MobilePhone";
  if (list === allContacts) return `${fields} FROM Contact WHERE HasOptedOutOfEmail = false`;
  // Ids are 15 or 18 letters and digits; anything else would be a query of somebody's own.
  if (!/^[a-zA-Z0-9]{15}(?:[a-zA-Z0-9]{3})?$/.test(list)) throw new ConnectorError("unknown_list");
  return `${fields} FROM CampaignMember WHERE CampaignId = '${list}' AND HasOptedOutOfEmail = false`;
}

/** The next page's path, as the answer before gave it. */
function pathOf(cursor: string): string {
  if (!/^\/services\/data\/v[\d.]+\/query\/[\w-]+$/.test(cursor)) throw new ConnectorError("unreadable");
  return cursor;
}
