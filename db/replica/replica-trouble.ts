import { errorCode } from "#app/startup-error.ts";

/** What kept a replica from answering, if the same read may succeed on the primary. */
export type ReplicaTrouble = "conflict" | "unavailable";

/**
 * Returns whether a read failed because it ran on a replica: `conflict` when replay had to cancel it or the statement
 * met a table that is not there yet, `unavailable` when the replica or the way to it is at fault. A statement that took
 * too long is neither, since the primary would take as long.
 */
export function replicaTrouble(error: unknown): ReplicaTrouble | undefined {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = errorCode(cause) ?? "";
  const text = cause instanceof Error ? cause.message : "";
  if (code === "57014") return /statement timeout|lock timeout/.test(text) ? undefined : "conflict";
  if (/^(40...|42P01|42703|42883|3F000)$/.test(code)) return "conflict";
  const isDown =
    /^(08...|3D000|28...|53...|57P..|58...|XX...|DATABASE_\w+|CONNECT(ION)?_\w+|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)$/;
  return isDown.test(code) ? "unavailable" : undefined;
}
