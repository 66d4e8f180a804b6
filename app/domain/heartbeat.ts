import type { ErrorFacts, ReportCtx } from "./context.ts";
import { reportError } from "./report-error.ts";

/**
 * The hint at the end of an interrupted upload's error. Stored errors are also matched against it to allow a retry with
 * the same key: when the text changes, match the old one too.
 */
export const retryHint = "Upload the file again.";
/** The hint where an immediate retry would be interrupted again. */
export const retryLaterHint = "Try again in a few minutes.";

/** In milliseconds. */
const heartbeatIntervalMs = 5_000;
/** A process without a heartbeat for this long, in milliseconds, is considered dead. */
const staleAfterMs = 60_000;

/**
 * Writes a heartbeat every five seconds; returns a function that stops it. A failed write is retried with the next
 * heartbeat; only the first of several consecutive failures is reported.
 */
export function startHeartbeat(
  ctx: ReportCtx,
  facts: ErrorFacts,
  writeHeartbeat: () => PromiseLike<unknown>,
): () => void {
  let isWell = true;
  const timer = setInterval(() => {
    writeHeartbeat().then(
      () => {
        isWell = true;
      },
      (error: unknown) => {
        if (isWell) reportError(ctx, error, { ...facts, step: "heartbeat" });
        isWell = false;
      },
    );
  }, heartbeatIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Work whose last heartbeat is older than this was abandoned. */
export function staleBefore(now: Date): Date {
  return new Date(now.getTime() - staleAfterMs);
}
