import type { AppLoadContext } from "@remix-run/node";
import { DomainError, type FieldErrors } from "#app/domain/errors.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { isDatabaseTrouble, retryAfterTrouble } from "#app/web/database-trouble.server.ts";
import { statusOf } from "#app/web/http-status.ts";
import { log } from "#app/web/log.server.ts";
import { type Answer, jsonAnswer } from "./json-answer.ts";
import { Problem, type ProblemCode, problemStatus } from "./problem.ts";

/** The answer to a call that failed. What nobody expected is logged, and answered without any inner detail. */
export function answerError(error: unknown, context: AppLoadContext): Answer {
  if (error instanceof DomainError) {
    const { code, message, fields, retryAfterSeconds } = error;
    if (code === "unavailable") log.error("call failed", { requestId: context.requestId, error: error.cause });
    const headers = new Headers();
    if (code === "unauthenticated") headers.set("WWW-Authenticate", "Bearer");
    if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
    return errorAnswer(statusOf[code], { code, message, fields }, headers);
  }
  const { code, message, headers } = error instanceof Problem ? error : unexpected(error, context);
  const requestId = problemStatus[code] >= 500 ? context.requestId : undefined;
  return errorAnswer(problemStatus[code], { code, message, request_id: requestId }, new Headers(headers));
}

type ErrorBody = { code: string; message: string; fields?: FieldErrors; request_id?: string };

function errorAnswer(status: number, error: ErrorBody, headers: Headers): Answer {
  return jsonAnswer({ status, body: JSON.stringify({ error }), headers });
}

function unexpected(
  error: unknown,
  context: AppLoadContext,
): { code: ProblemCode; message: string; headers: Record<string, string> } {
  log.error("call failed", { requestId: context.requestId, error });
  if (error instanceof StorageError) return noRoomForFiles;
  if (sqlState(error) === diskFull) return noRoomForRows;
  return isDatabaseTrouble(error)
    ? {
        code: "unavailable",
        message: "The database is busy. Try again",
        headers: { "Retry-After": String(retryAfterTrouble) },
      }
    : { code: "internal", message: "Something went wrong on our side", headers: {} };
}

const noRoomForFiles = {
  code: "unavailable",
  message: "Files cannot be stored at the moment. Try again later",
  headers: { "Retry-After": "60" },
} as const;

const diskFull = "53100";
const noRoomForRows = {
  code: "unavailable",
  message: "There is no room on our side at the moment. Try again later",
  headers: { "Retry-After": "60" },
} as const;
