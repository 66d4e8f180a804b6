import { sharedState } from "../shared-state.ts";
import type { ErrorFacts, ReportCtx } from "./context.ts";
import { reportError } from "./report-error.ts";

const running = sharedState("background-tasks", () => new Map<Promise<void>, ErrorFacts["work"]>());
const stopping = sharedState("background-tasks.stopping", () => new AbortController());

/** Aborted when the server shuts down; tasks that take minutes then stop. */
export function shutdownSignal(): AbortSignal {
  return stopping().signal;
}

/**
 * Runs a task that continues after its request's response. The promise never rejects; errors are reported with the
 * facts.
 */
export function runInBackground(ctx: ReportCtx, facts: ErrorFacts, work: () => Promise<void>): Promise<void> {
  const done: Promise<void> = work()
    .catch((error: unknown) => reportError(ctx, error, facts))
    .finally(() => running().delete(done));
  running().set(done, facts.work);
  return done;
}

/**
 * Returns the number of background tasks running in this process: those of the work `only`, or all without those of
 * `except`.
 */
export function countBackgroundTasks({ only, except }: { only?: Work; except?: Work } = {}): number {
  return [...running().values()].filter((work) => work !== except && (only === undefined || work === only)).length;
}

type Work = ErrorFacts["work"];

/** Stops tasks that take minutes and waits for the others, before the database is closed. */
export async function stopBackgroundTasks(): Promise<void> {
  stopping().abort();
  await waitForBackgroundTasks();
}

/** Waits for running tasks and for those that they start. */
export async function waitForBackgroundTasks(): Promise<void> {
  while (running().size > 0) await Promise.all(running().keys());
}
