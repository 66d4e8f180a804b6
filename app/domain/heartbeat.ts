import type { ErrorFacts, ReportCtx } from "./context.ts";
import { reportError } from "./report-error.ts";

/** Ends the words of what broke off through nobody's fault: the same may be sent again. */
export const sendAgain = "Send it again.";

/** In milliseconds. */
const beat = 5_000;
/** A process that did not say so for this long is not at work any more. In milliseconds. */
const silence = 60_000;

/**
 * Says every five seconds that work goes on; returns the stop. One that could not be said is said with the next; the first of
 * several failures in a row is reported.
 */
export function keepBeating(ctx: ReportCtx, facts: ErrorFacts, sayAlive: () => PromiseLike<unknown>): () => void {
  let isWell = true;
  const timer = setInterval(() => {
    sayAlive().then(
      () => {
        isWell = true;
      },
      (error: unknown) => {
        if (isWell) reportError(ctx, error, { ...facts, step: "heartbeat" });
        isWell = false;
      },
    );
  }, beat);
  timer.unref();
  return () => clearInterval(timer);
}

/** Work whose last beat was before this is nobody's any more. */
export function silentSince(now: Date): Date {
  return new Date(now.getTime() - silence);
}
