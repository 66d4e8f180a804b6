/** What can go wrong in a verb. The codes are the wire's: `{"error": {"code", "message", "fields"?}}`. */
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

/** Messages per field, named as on the wire. */
export type FieldErrors = Record<string, string[]>;

/**
 * The only error a verb throws on purpose. `message` is a sentence for the person in front of the screen;
 * it never holds an inner detail. `fields` goes with `invalid_input`, `retryAfterSeconds` with `rate_limited` and
 * `unavailable`, whose `cause` is for the log.
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

/** The answer for an id that is absent and for one that belongs to somebody else, byte for byte the same. */
export function notFound(what: string): DomainError {
  return new DomainError("not_found", `${what} not found`);
}

export function invalidInput(fields: FieldErrors, message = "Some fields need your attention"): DomainError {
  return new DomainError("invalid_input", message, { fields });
}
