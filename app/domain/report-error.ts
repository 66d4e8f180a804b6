import type { ErrorFacts, ReportCtx } from "./context.ts";

/**
 * Reports an error that is not rethrown: one log line with its stack, the request or job, and the facts. A verb that
 * catches an unexpected error calls this; a verb that rethrows it does not, so that each error is reported once.
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
