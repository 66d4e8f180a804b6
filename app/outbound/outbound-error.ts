/**
 * Why an external server returned no usable response. `refused_address`: not a public address; `unreachable`: no
 * connection, or it broke; `timed_out`; `too_large`; `malformed_url`; `unreadable`: the response does not match its
 * documentation.
 */
export type OutboundProblem =
  | "refused_address"
  | "unreachable"
  | "timed_out"
  | "too_large"
  | "malformed_url"
  | "unreadable";

/** Contains the host name at most: a URL may contain a key, and a body personal data. */
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
