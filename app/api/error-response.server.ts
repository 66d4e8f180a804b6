import type { AppLoadContext } from "@remix-run/node";
import { DomainError, type FieldErrors } from "#app/domain/errors.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { isDatabaseTrouble, retryAfterTrouble } from "#app/web/database-trouble.server.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { log, logUnavailable } from "#app/web/log.server.ts";
import { type ApiResponse, apiResponse } from "./api-response.ts";
import { Problem, type ProblemCode, problemStatus } from "./problem.ts";

/** Converts an error to an API response. Unexpected errors are logged, and the response contains no internal detail. */
export function toErrorResponse(error: unknown, context: AppLoadContext): ApiResponse {
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    const isUnavailable = code === "unavailable";
    const { retryAfterSeconds = isUnavailable ? usualRetryAfter : undefined } = error;
    if (isUnavailable) logUnavailable("call failed", { requestId: context.requestId, error });
    const headers = new Headers();
    if (code === "unauthenticated") headers.set("WWW-Authenticate", "Bearer");
    if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
    const requestId = isUnavailable ? context.requestId : undefined;
    return errorBodyResponse(statusByErrorCode[code], { code, message, fields, request_id: requestId }, headers);
  }
  const { code, message, headers } = error instanceof Problem ? error : unexpected(error, context);
  const requestId = problemStatus[code] >= 500 ? context.requestId : undefined;
  return errorBodyResponse(problemStatus[code], { code, message, request_id: requestId }, new Headers(headers));
}

/** After how many seconds to try again where the cause of a failure does not say. */
const usualRetryAfter = 60;

type ErrorBody = { code: string; message: string; fields?: FieldErrors; request_id?: string };

function errorBodyResponse(status: number, error: ErrorBody, headers: Headers): ApiResponse {
  return apiResponse({ status, body: JSON.stringify({ error }), headers });
}

function unexpected(
  error: unknown,
  context: AppLoadContext,
): { code: ProblemCode; message: string; headers: Record<string, string> } {
  log.error("call failed", { requestId: context.requestId, error });
  if (error instanceof StorageError) return storageUnavailable;
  if (sqlState(error) === diskFull) return noRoomForRows;
  return isDatabaseTrouble(error)
    ? {
        code: "unavailable",
        message: "The database is busy. Try again in a moment.",
        headers: { "Retry-After": String(retryAfterTrouble) },
      }
    : { code: "internal", message: "Something went wrong on our side. Try again.", headers: {} };
}

const storageUnavailable = {
  code: "unavailable",
  message: "We can't store files right now. Try again later.",
  headers: { "Retry-After": "60" },
} as const;

const diskFull = "53100";
const noRoomForRows = {
  code: "unavailable",
  message: "We can't store data right now. Try again later.",
  headers: { "Retry-After": "60" },
} as const;
