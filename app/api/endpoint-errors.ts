import { type ErrorCode, errorCodes } from "#app/domain/errors.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
import type { Endpoint } from "./endpoint.ts";
import { type ProblemCode, problemStatus } from "./problem.ts";

type ErrorResponseCode = ErrorCode | ProblemCode;

/** An error that an endpoint can respond with; `when` is a sentence without its period. */
export type EndpointError = { status: number; code: ErrorResponseCode; when: string };

/** Returns the errors of an endpoint by status: those of its kind, and those of its own rules. Pure. */
export function endpointErrors(name: string, endpoint: Endpoint): EndpointError[] {
  const codes = new Set<ErrorResponseCode>([...kindErrors(name, endpoint), ...endpoint.errors]);
  return [...codes]
    .map((code) => ({ status: statusOf(code), code, when: conditions[code] }))
    .sort((one, other) => one.status - other.status || one.code.localeCompare(other.code));
}

/** Every code with its status, for the description of errors as such. */
export const errorResponseCodes: readonly ErrorResponseCode[] = [
  ...new Set<ErrorResponseCode>([...errorCodes, ...problemCodes()]),
];

function kindErrors(name: string, { access, query, body, acceptsFiles }: Endpoint): ErrorResponseCode[] {
  const [method] = name.split(" ");
  const isPublic = access === "visitor";
  const changes = method !== "GET";
  return [
    ...(isPublic ? [] : (["unauthenticated"] as const)),
    // The server rejects a request from another site, which a GET that signs out is too.
    ...(isPublic && !changes && !name.endsWith("/logout") ? [] : (["forbidden"] as const)),
    ...(name.includes("{") ? (["not_found"] as const) : []),
    ...(query || body || acceptsFiles ? (["invalid_input"] as const) : []),
    ...(query || changes ? (["malformed"] as const) : []),
    ...(changes ? (["timeout", "too_large", "unsupported_media_type"] as const) : []),
    ...(method === "POST" && !isPublic ? (["idempotency_conflict"] as const) : []),
    ...(["rate_limited", "internal", "unavailable"] as const),
  ];
}

function isProblemCode(code: ErrorResponseCode): code is ProblemCode {
  return code in problemStatus;
}

function problemCodes(): ProblemCode[] {
  return Object.keys(problemStatus).filter((code): code is ProblemCode => code in problemStatus);
}

function statusOf(code: ErrorResponseCode): number {
  return isProblemCode(code) ? problemStatus[code] : statusByErrorCode[code];
}

const conditions: Record<ErrorResponseCode, string> = {
  malformed: "The body or the Idempotency-Key header cannot be read, or a query parameter is repeated",
  unauthenticated: "There is no session, or the API key is invalid or revoked",
  sign_in_failed: "The sign-in was not this client's own, or the provider rejected it",
  forbidden:
    "The endpoint is not for this account type, the account is not approved, the endpoint is for people only, or another site sent the request",
  not_found: "The object does not exist or belongs to another account",
  method_not_allowed: "The path has no such method; the Allow header lists the methods",
  timeout: "The body did not arrive in time",
  not_pending: "The campaign is not pending review",
  invalid_transition: "The object's state does not allow the change; the message names the state",
  version_changed: "The advertiser sent another version since the one that you read",
  limit_reached: "A limit of the account is reached, such as that of its plan; the message names it",
  already_registered: "The person has an account already",
  too_large: "The body or a file exceeds the limit",
  unsupported_media_type: "The Content-Type is not one that the endpoint reads, or the body is compressed",
  invalid_input: "A field or parameter is invalid; the messages are in `fields`",
  idempotency_conflict: "The Idempotency-Key was used with another body",
  rate_limited: "The budget of requests is empty; Retry-After says how many seconds to wait",
  internal: "Something went wrong on our side; `request_id` identifies it",
  unavailable: "The server or a service that it needs is busy; Retry-After says when to try again",
};
