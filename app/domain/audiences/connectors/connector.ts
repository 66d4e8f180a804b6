/** A program that a publisher's customers are kept in, and that can be asked for them. */

/** A list or segment over there. `people` as it says itself, where it does. */
export type RemoteList = { id: string; name: string; people: number | null };

/** As written over there; either may be missing. In memory only. */
export type RemotePerson = { email: string | null; phone: string | null };

/** `next` leads to the page after it; absent on the last. It can be kept and used again after a cut. */
type RemotePage = { people: RemotePerson[]; next: string | undefined };

export type Connector = {
  /** All lists, in the order of their names; a few requests. Also the way to see whether the credential is good. */
  listLists(): Promise<RemoteList[]>;
  /** One page of a list's people. */
  readPage(list: string, cursor: string | undefined): Promise<RemotePage>;
};

/**
 * Why a program did not give what it was asked for. `refused`: it does not take the credential; `not_allowed`: the
 * credential lacks a scope; `unknown_list`; `busy`: its limits are used up for longer than we wait; `unreachable`;
 * `unreadable`: not as its documentation says; `sealed`: this server cannot open the stored credential.
 */
export const connectorProblemNames = [
  "refused",
  "not_allowed",
  "unknown_list",
  "busy",
  "unreachable",
  "unreadable",
  "sealed",
] as const;
export type ConnectorProblem = (typeof connectorProblemNames)[number];

const connectorProblems: Record<ConnectorProblem, string> = {
  refused: "does not accept the credentials",
  not_allowed: "does not allow this key to read lists and profiles",
  unknown_list: "has no such list any more",
  busy: "has no requests left for us at the moment",
  unreachable: "could not be reached",
  unreadable: "answered in a way we do not understand",
  sealed: "has to be connected again: its stored credentials cannot be opened",
};

/** What the program did, as the end of a sentence that begins with its name. */
export function wordsOfProblem(problem: ConnectorProblem): string {
  return connectorProblems[problem];
}

/** Holds nothing of the answer and nothing of the credential. */
export class ConnectorError extends Error {
  readonly problem: ConnectorProblem;

  constructor(problem: ConnectorProblem) {
    super(connectorProblems[problem]);
    this.name = "ConnectorError";
    this.problem = problem;
  }
}

/** The most lists that are offered. */
export const mostLists = 1_000;

export function byName(lists: RemoteList[]): RemoteList[] {
  return lists.slice(0, mostLists).sort((a, b) => a.name.localeCompare(b.name, "en"));
}
