import { z } from "zod";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import { type Connector, ConnectorError, consentColumns, maxLists, sortListsByName } from "./connector.ts";
import { fetchConnectorJson } from "./fetch-connector-json.server.ts";

const { version } = serviceApis.salesforce;
/** A pseudo-list of every contact; not a Salesforce campaign. */
const allContacts = "contacts";

/** The response to wrong credentials is a 400 with this body (RFC 6749, section 5.2). */
const rejectedCredentials = z.object({ error: z.string() });
const token = z.object({ access_token: z.string().min(1) });
const campaigns = z.object({
  records: z.array(z.object({ Id: z.string().min(1), Name: z.string(), NumberOfContacts: z.number().nullish() })),
});
const person = z.object({
  Email: z.string().nullish(),
  Phone: z.string().nullish(),
  MobilePhone: z.string().nullish(),
  HasOptedOutOfEmail: z.boolean().nullish(),
  DoNotCall: z.boolean().nullish(),
});
const members = z.object({
  records: z.array(person),
  done: z.boolean(),
  nextRecordsUrl: z.string().nullish(),
});

/**
 * Reads Salesforce's contacts, all or those of a campaign, as a connected app with the client credentials flow (scope
 * `api`). `instanceUrl` is the organization's My Domain URL. Reference: developer.salesforce.com, REST API Developer
 * Guide: OAuth 2.0 Client Credentials Flow, Query, Query More Results.
 */
export function salesforce(
  { instanceUrl, consumerKey, consumerSecret }: { instanceUrl: string; consumerKey: string; consumerSecret: string },
  { retryPolicy }: { retryPolicy?: RetryPolicy } = {},
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
    return (await fetchConnectorJson({ url, method: "POST", headers, body }, token, retryPolicy, rejectedCredentials))
      .access_token;
  }

  /** Sends a request; a session that has ended is replaced once. */
  async function get<S extends z.ZodType>(path: string, schema: S) {
    const isRenewable = signedIn !== undefined;
    const send = async () => {
      signedIn ??= signIn();
      const headers = { Authorization: `Bearer ${await signedIn}` };
      return fetchConnectorJson({ url: new URL(path, instanceUrl), headers }, schema, retryPolicy);
    };
    return send().catch((error: unknown) => {
      const hasEnded = error instanceof ConnectorError && error.problem === "invalid_credentials";
      if (!isRenewable || !hasEnded) throw error;
      signedIn = undefined;
      return send();
    });
  }

  const query = <S extends z.ZodType>(soql: string, schema: S) =>
    get(`/services/data/${version}/query?${new URLSearchParams({ q: soql })}`, schema);

  return {
    consentColumns: consentColumns.salesforce,
    async listLists() {
      const soql = `SELECT Id, Name, NumberOfContacts FROM Campaign ORDER BY Name LIMIT ${maxLists - 1}`;
      const { records } = await query(soql, campaigns);
      const remoteLists = records.map(({ Id, Name, NumberOfContacts }) => ({
        id: Id,
        name: Name,
        people: NumberOfContacts ?? null,
      }));
      return [{ id: allContacts, name: "All contacts", people: null }, ...sortListsByName(remoteLists)];
    },
    async readPage(list, cursor) {
      const page =
        cursor === undefined
          ? await query(buildListQuery(list), members)
          : await get(requireNextPagePath(cursor), members);
      const next = page.done ? undefined : page.nextRecordsUrl;
      return {
        people: page.records.map(({ Email, Phone, MobilePhone, HasOptedOutOfEmail, DoNotCall }) => ({
          email: Email ?? null,
          phone: MobilePhone || Phone || null,
          consents: [String(HasOptedOutOfEmail ?? ""), String(DoNotCall ?? "")],
        })),
        next: next ?? undefined,
      };
    },
  };
}

function buildListQuery(list: string): string {
  const fields = "SELECT Email, Phone, MobilePhone, HasOptedOutOfEmail, DoNotCall";
  if (list === allContacts) return `${fields} FROM Contact`;
  // Ids consist of 15 or 18 letters and digits. Anything else could inject SOQL.
  if (!/^[a-zA-Z0-9]{15}(?:[a-zA-Z0-9]{3})?$/.test(list)) throw new ConnectorError("list_not_found");
  return `${fields} FROM CampaignMember WHERE CampaignId = '${list}'`;
}

/** Validates the path of the next page that the previous response contained. */
function requireNextPagePath(cursor: string): string {
  if (!/^\/services\/data\/v[\d.]+\/query\/[\w-]+$/.test(cursor)) throw new ConnectorError("unexpected_response");
  return cursor;
}
