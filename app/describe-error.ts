import { errorCode } from "./startup-error.ts";

/**
 * Returns the loggable parts of an error. For a database error these are only code and constraint: its detail, query
 * and parameters contain user input, which drizzle also copies into the message and the stack.
 */
export function describeError(error: unknown): Record<string, unknown> {
  const inDatabase = databaseError(error);
  if (inDatabase) return inDatabase;
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack } = error;
  const causes = causesOf(error);
  const described = { name, code: errorCode(error), message, ...(causes.length > 0 && { causes }), stack };
  return error instanceof AggregateError ? { ...described, errors: error.errors.map(describeError) } : described;
}

const maxCauses = 4;

/**
 * Returns the errors that an error wraps by name and code, such as `Error ENOTFOUND`: their messages may contain what a
 * person entered.
 */
function causesOf(error: Error): string[] {
  const causes: string[] = [];
  let { cause } = error;
  while (cause instanceof Error && causes.length < maxCauses) {
    causes.push([cause.name, errorCode(cause)].filter(Boolean).join(" "));
    cause = cause.cause;
  }
  return causes;
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

/** Returns the stack frames of an error without its message, which the stack starts with. */
function frames(error: Error): string | undefined {
  const lines = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return lines?.slice(0, 8).join("\n");
}
