/**
 * Why another's server gave no answer. `refused_address`: not an address of the public net; `unreachable`: no connection, or
 * it broke; `timed_out`; `too_large`; `malformed_url`; `unreadable`: an answer of another shape than its documentation says.
 */
export type OutboundProblem =
  | "refused_address"
  | "unreachable"
  | "timed_out"
  | "too_large"
  | "malformed_url"
  | "unreadable";

/** Names the host at most: an address may hold a key, and a body people. */
export class OutboundError extends Error {
  readonly problem: OutboundProblem;
  readonly host: string | undefined;

  constructor(problem: OutboundProblem, host?: string) {
    super(host ? `${problem}: ${host}` : problem);
    this.name = "OutboundError";
    this.problem = problem;
    this.host = host;
  }
}
