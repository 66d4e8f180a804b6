/** A client of a platform that holds a publisher's customers. */

/** A list or segment of the platform. `people` is the platform's own count, null when it does not report one. */
export type RemoteList = { id: string; name: string; people: number | null };

/**
 * Raw identifiers as the platform stores them; either may be null. In memory only. `consents`: what the platform
 * records in each of the connector's `consentColumns`.
 */
export type RemoteContact = { email: string | null; phone: string | null; consents: readonly (string | null)[] };

/**
 * `next` is the cursor of the next page; undefined on the last page. A cursor can be stored and reused after an
 * interruption.
 */
type RemotePage = { people: RemoteContact[]; next: string | undefined };

export type Connector = {
  /**
   * The platform's own names of its records of consent, read like columns of a file: people who opted out are left out
   * and counted.
   */
  consentColumns: readonly string[];
  /** Returns all lists, sorted by name, with a few requests. Also used to test the credential. */
  listLists(): Promise<RemoteList[]>;
  /** Returns one page of a list's people. */
  readPage(list: string, cursor: string | undefined): Promise<RemotePage>;
};

/**
 * Why a platform did not return the requested data. `invalid_credentials`: it rejected the credential; `missing_scope`:
 * the credential lacks a scope; `list_not_found`; `rate_limited`: rate limited for longer than the retries wait;
 * `unreachable`; `unexpected_response`: the response does not match its documentation; `cannot_decrypt`: this server
 * cannot decrypt the stored credential.
 */
export const connectorProblems = [
  "invalid_credentials",
  "missing_scope",
  "list_not_found",
  "rate_limited",
  "unreachable",
  "unexpected_response",
  "cannot_decrypt",
] as const;
export type ConnectorProblem = (typeof connectorProblems)[number];

const connectorProblemMessages: Record<ConnectorProblem, string> = {
  invalid_credentials: "rejected the credentials",
  missing_scope: "denied access: the key needs permission to read lists and profiles",
  list_not_found: "no longer has this list",
  rate_limited: "is rate limiting our requests",
  unreachable: "could not be reached",
  unexpected_response: "returned an unexpected response",
  cannot_decrypt: "must be reconnected because its stored credentials can't be decrypted",
};

/** Describes the problem as a predicate, for a sentence that starts with the platform's name. */
export function describeConnectorProblem(problem: ConnectorProblem): string {
  return connectorProblemMessages[problem];
}

/** Contains nothing of the response and nothing of the credential. */
export class ConnectorError extends Error {
  readonly problem: ConnectorProblem;

  constructor(problem: ConnectorProblem) {
    super(connectorProblemMessages[problem]);
    this.name = "ConnectorError";
    this.problem = problem;
  }
}

/** Each platform's own names of its records of consent. */
export const consentColumns = {
  klaviyo: ["Email Marketing Consent", "Email Suppressions", "SMS Marketing Consent"],
  hubspot: ["Unsubscribed from all email"],
  salesforce: ["Email Opt Out", "Do Not Call"],
} as const;

/** The maximum number of lists that are offered. */
export const maxLists = 1_000;

export function sortListsByName(lists: RemoteList[]): RemoteList[] {
  return lists.slice(0, maxLists).sort((a, b) => a.name.localeCompare(b.name, "en"));
}
