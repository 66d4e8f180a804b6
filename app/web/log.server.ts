import pino, { type Logger } from "pino";
import { describeError } from "#app/describe-error.ts";
import type { Report } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";
import { formatLogLine, type LogFormat } from "#app/log-format.ts";
import { observers } from "#app/observability/observers.server.ts";

/**
 * The fields that a log line may contain. An allow-list: request bodies, query strings, cookies and email addresses are
 * never logged.
 */
type LogFields = {
  requestId?: string | undefined;
  /** The id of the request's trace (W3C Trace Context). */
  traceId?: string | undefined;
  method?: string;
  /** The path without the query. */
  path?: string;
  status?: number;
  milliseconds?: number;
  accountId?: string;
  userId?: string;
  job?: string | undefined;
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
  /** Why, in words for an operator. */
  reason?: string | undefined;
  /** The text of an SQL statement, with placeholders instead of values. */
  statement?: string;
  error?: unknown;
};

let sink: Logger | undefined;

/** Writes one line to stdout: a JSON object, or text on a terminal. */
export const log = {
  info: (message: string, fields: LogFields = {}) => write("info", message, fields),
  warn: (message: string, fields: LogFields = {}) => write("warn", message, fields),
  error: (message: string, fields: LogFields = {}) => write("error", message, fields),
};

/**
 * Logs that something was unavailable. Only what has a cause needs an operator: a person or a program just tries again
 * when others are busy with the same.
 */
export function logUnavailable(message: string, { requestId, error }: { requestId?: string; error: Error }): void {
  if (error.cause === undefined) log.warn(message, { requestId, reason: error.message });
  else log.error(message, { requestId, error: error.cause });
}

function write(level: "info" | "warn" | "error", message: string, fields: LogFields): void {
  sink ??= openSink();
  const { onLogLine, traceId } = observers();
  const line = allowed(traceId ? { traceId: traceId(), ...fields } : fields);
  onLogLine?.(level, line);
  sink[level](line, message);
}

function openSink(): Logger {
  const { logLevel: level, logFormat } = env();
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
  return logFormat === "json" ? pino(options) : pino(options, textStream(logFormat));
}

function textStream(format: LogFormat) {
  return { write: (line: string) => void process.stdout.write(formatLogLine(JSON.parse(line), format)) };
}

function allowed({ error, ...fields }: LogFields): Record<string, unknown> {
  const { requestId, traceId, method, path, status, milliseconds, accountId, userId, job, work, step, count } = fields;
  const { uploadId, importId, audienceId, creativeId, mailId, deliveryId, code, reason, statement } = fields;
  const ids = { uploadId, importId, audienceId, creativeId, mailId, deliveryId };
  const line = {
    requestId,
    traceId,
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
    reason,
    statement,
  };
  return error === undefined ? line : { ...line, error: describeError(error) };
}

/** The error reporter of the domain's context. */
export const report: Report = (error, facts) => log.error("work failed", { ...facts, error });
