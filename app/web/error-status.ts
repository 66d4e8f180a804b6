import type { ErrorCode } from "#app/domain/errors.ts";

/** The HTTP status of each domain error, for the API and the pages. */
export const statusByErrorCode: Record<ErrorCode, number> = {
  invalid_input: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  not_pending: 409,
  invalid_transition: 409,
  version_changed: 409,
  limit_reached: 409,
  too_large: 413,
  already_registered: 409,
  idempotency_conflict: 422,
  rate_limited: 429,
  sign_in_failed: 401,
  unavailable: 503,
};
