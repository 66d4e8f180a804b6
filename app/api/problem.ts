/** Errors of a request before it reaches the domain. The domain's own errors are `DomainError`s. */
export const problemStatus = {
  malformed: 400,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  too_large: 413,
  unsupported_media_type: 415,
  internal: 500,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "Problem";
    this.code = code;
    this.headers = headers;
  }
}
