import pino, { type Logger } from "pino";
import { describeError } from "#app/describe-error.ts";
import type { Report } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";

/** The fields that a log line may contain. An allow-list: request bodies, query strings, cookies and email addresses are never logged. */
type LogFields = {
  requestId?: string;
  method?: string;
  /** The path without the query. */
  path?: string;
  status?: number;
  milliseconds?: number;
  accountId?: string;
  userId?: string;
  job?: string;
  work?: string;
  step?: string;
  uploadId?: string;
  importId?: string;
  audienceId?: string;
  creativeId?: string;
  mailId?: string;
  deliveryId?: string;
  count?: number;
  code?: string;
  error?: unknown;
};

let sink: Logger | undefined;

/** Writes one JSON object per line to stdout. */
export const log = {
  info: (message: string, fields: LogFields = {}) => write("info", message, fields),
  warn: (message: string, fields: LogFields = {}) => write("warn", message, fields),
  error: (message: string, fields: LogFields = {}) => write("error", message, fields),
};

function write(level: "info" | "warn" | "error", message: string, fields: LogFields): void {
  sink ??= pino({ level: env().logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  sink[level](allowed(fields), message);
}

function allowed({ error, ...fields }: LogFields): Record<string, unknown> {
  const { requestId, method, path, status, milliseconds, accountId, userId, job, work, step, count, code } = fields;
  const { uploadId, importId, audienceId, creativeId, mailId, deliveryId } = fields;
  const ids = { uploadId, importId, audienceId, creativeId, mailId, deliveryId };
  const line = {
    requestId,
    method,
    path,
    status,
    milliseconds,
    accountId,
    userId,
    job,
    work,
    step,
    ...ids,
    count,
    code,
  };
  return error === undefined ? line : { ...line, error: describeError(error) };
}

/** The error reporter of the domain's context. */
export const report: Report = (error, facts) => log.error("work failed", { ...facts, error });
