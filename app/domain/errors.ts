/** The error codes of verbs, as in the API's `{"error": {"code", "message", "fields"?}}`. */
export const errorCodes = [
  "invalid_input",
  "unauthenticated",
  "forbidden",
  "not_found",
  "not_pending",
  "invalid_transition",
  "version_changed",
  "limit_reached",
  "already_registered",
  "idempotency_conflict",
  "too_large",
  "rate_limited",
  "sign_in_failed",
  "unavailable",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Messages by field, named as in the JSON API. */
export type FieldErrors = Record<string, string[]>;

/**
 * The only error that verbs throw on purpose. `message` is a sentence for the user and contains no internal details.
 * `fields` belongs to `invalid_input`; `retryAfterSeconds` to `rate_limited` and `unavailable`, whose `cause` is for
 * the log.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { fields?: FieldErrors; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "DomainError";
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** The error for unknown ids and for ids of other accounts, which are indistinguishable. */
export function notFound(what: string): DomainError {
  return new DomainError("not_found", `${what} not found`);
}

export function invalidInput(fields: FieldErrors, message = "Some fields are not valid"): DomainError {
  return new DomainError("invalid_input", message, { fields });
}
