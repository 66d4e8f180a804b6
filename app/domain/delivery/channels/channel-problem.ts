/**
 * Why a request to a channel failed.
 * - `waiting`: it depends on someone's action, which the message names.
 * - "invalid_credentials": the credentials are invalid.
 * - "missing_scope": the credentials lack a permission.
 * - `rate_limited`: the rate limit is exceeded.
 * - `unreachable`: the channel did not respond.
 * - `unexpected_response`: the response differs from the documentation.
 * - `rejected`: the channel rejected the request.
 * - `not_found`: an object that we created no longer exists.
 * - `cannot_decrypt`: this server cannot decrypt the stored credentials.
 * - `unsupported_currency`: the account does not use US dollars.
 */
export const channelProblems = [
  "waiting",
  "invalid_credentials",
  "missing_scope",
  "rate_limited",
  "unreachable",
  "unexpected_response",
  "rejected",
  "not_found",
  "cannot_decrypt",
  "unsupported_currency",
] as const;
export type ChannelProblem = (typeof channelProblems)[number];

/** Whether the problem is that of the whole channel, so that any other request would fail as well for now. */
export function isChannelWide(problem: ChannelProblem): boolean {
  return problem === "rate_limited" || problem === "unreachable";
}

const descriptions: Record<Exclude<ChannelProblem, "waiting">, string> = {
  invalid_credentials: "rejected the credentials",
  missing_scope: "denied access: the credentials lack a permission",
  rate_limited: "is rate limiting our requests",
  unreachable: "could not be reached",
  unexpected_response: "returned an unexpected response",
  rejected: "rejected the request",
  not_found: "no longer has the objects we created",
  cannot_decrypt: "must be reconnected because its stored credentials can't be decrypted",
  unsupported_currency: "uses an account in another currency; connect a US dollar account",
};

/** Describes the problem as a sentence that starts with the channel's name. */
export function describeChannelProblem(label: string, problem: Exclude<ChannelProblem, "waiting">): string {
  return `${label} ${descriptions[problem]}`;
}

/** A failed request to a channel. The message contains nothing of a response or credential. */
export class ChannelError extends Error {
  readonly problem: ChannelProblem;
  /** The retry delay that the channel requests, in milliseconds. */
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
