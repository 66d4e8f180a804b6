import pino, { type Logger } from "pino";
import { env } from "#app/env.server.ts";
import { errorCode } from "#app/start-error.ts";

/** What a line may say. An allow-list: request bodies, query strings, cookies and addresses of people never get here. */
type LogFields = {
  requestId?: string;
  method?: string;
  /** The path alone, without the query. */
  path?: string;
  status?: number;
  milliseconds?: number;
  accountId?: string;
  userId?: string;
  job?: string;
  count?: number;
  code?: string;
  error?: unknown;
};

let sink: Logger | undefined;

/** One JSON object a line on stdout. */
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
  const { requestId, method, path, status, milliseconds, accountId, userId, job, count, code } = fields;
  const line = { requestId, method, path, status, milliseconds, accountId, userId, job, count, code };
  return error === undefined ? line : { ...line, error: describeError(error) };
}

/**
 * What may be known of an error. One of the database shows its code and constraint only: its detail, its query and its
 * parameters hold what people typed, and drizzle puts them into message and stack too.
 */
export function describeError(error: unknown): Record<string, unknown> {
  const inDatabase = databaseError(error);
  if (inDatabase) return inDatabase;
  if (!(error instanceof Error)) return { name: typeof error };
  return { name: error.name, code: errorCode(error), message: error.message, stack: error.stack };
}

function databaseError(error: unknown, depth = 0): Record<string, unknown> | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  if (error.name === "PostgresError" || "severity_local" in error || "query" in error) {
    const cause = error.cause instanceof Error ? describeError(error.cause) : {};
    const read = (key: string): unknown => Reflect.get(error, key);
    return {
      name: "DatabaseError",
      code: errorCode(error),
      constraint: read("constraint_name"),
      table: read("table_name"),
      frames: frames(error),
      ...cause,
    };
  }
  const inner = databaseError(error.cause, depth + 1);
  return inner && { ...inner, wrappedIn: error.name };
}

/** Where an error was thrown, without its message, which the stack begins with. */
function frames(error: Error): string | undefined {
  const lines = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return lines?.slice(0, 8).join("\n");
}
