import type { RequestHead } from "#app/web/request-head.ts";
import type { ApiRequest } from "./auth.server.ts";
import { Problem } from "./problem.ts";

/**
 * Reads the idempotency key of a POST. Throws a Problem for one that is missing where it is `required`, or malformed.
 */
export function parseIdempotencyKey(request: RequestHead, required = false): string | undefined {
  if (request.method !== "POST") return undefined;
  const key = request.headers.get("Idempotency-Key");
  if (key === null && required)
    throw new Problem("malformed", "Send an Idempotency-Key header. It is required for this endpoint.");
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem("malformed", "Idempotency-Key must be 1 to 255 visible ASCII characters");
  }
  return key ?? undefined;
}

/** Says that the response is about an earlier request with the same key. */
export function markReplayed({ headers }: ApiRequest): void {
  headers.set("Idempotent-Replayed", "true");
}

/** The body that a repetition gets, without the fields that are shown once; undefined: the same body. */
export function replayedBody(response: unknown, shownOnce: readonly string[] | undefined): string | undefined {
  return shownOnce && JSON.stringify(response, (field, value) => (shownOnce.includes(field) ? undefined : value));
}
