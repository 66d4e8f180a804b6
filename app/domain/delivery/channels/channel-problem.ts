/**
 * Why a channel did not do what it was told. `waiting`: for something that others do, which the words name; `refused`: it does
 * not take the credentials; `not_allowed`: they lack a right; `busy`: its limits are used up; `unreachable`; `unreadable`: not
 * as its documentation says; `rejected`: it did not like what was sent; `missing`: what we made there is gone; `sealed`: this
 * server cannot open the stored credentials; `other_currency`.
 */
export const channelProblems = [
  "waiting",
  "refused",
  "not_allowed",
  "busy",
  "unreachable",
  "unreadable",
  "rejected",
  "missing",
  "sealed",
  "other_currency",
] as const;
export type ChannelProblem = (typeof channelProblems)[number];

const words: Record<Exclude<ChannelProblem, "waiting">, string> = {
  refused: "does not accept the credentials",
  not_allowed: "does not allow these credentials to do that",
  busy: "has no requests left for us at the moment",
  unreachable: "could not be reached",
  unreadable: "answered in a way we do not understand",
  rejected: "did not take what was sent",
  missing: "no longer has what was made there",
  sealed: "has to be connected again: its stored credentials cannot be opened",
  other_currency: "has an account in another currency; amounts are in US dollars",
};

/** What the channel did, as a sentence that begins with its name. */
export function wordsOfProblem(label: string, problem: Exclude<ChannelProblem, "waiting">): string {
  return `${label} ${words[problem]}`;
}

/** A sentence of ours, which holds nothing of an answer and nothing of a credential. */
export class ChannelError extends Error {
  readonly problem: ChannelProblem;
  /** How long the channel asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { problem = "rejected", retryAfterMs }: { problem?: ChannelProblem; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.name = "ChannelError";
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}
