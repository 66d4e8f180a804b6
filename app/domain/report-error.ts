import type { ErrorFacts, ReportCtx } from "./context.ts";

/**
 * Leaves a trace of an error that goes no further: one line in the log, with its stack, the request or job, and the facts. A
 * verb that swallows an error which it does not expect calls this; one that throws it on does not, so that no error has two.
 */
export function reportError(ctx: ReportCtx, error: unknown, facts: ErrorFacts): void {
  const { actor, requestId } = ctx;
  ctx.report(error, {
    ...facts,
    requestId,
    job: actor?.kind === "job" ? actor.name : undefined,
    accountId: actor && "accountId" in actor ? actor.accountId : undefined,
  });
}
