import { and, eq, sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { channelCollections } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { forEachItem } from "../for-each-item.ts";
import { tryLock } from "../try-lock.server.ts";
import { backoffMs } from "./channels/activation.ts";
import { loadChannelAdapters } from "./channels/adapters.server.ts";
import type { ChannelAdapter } from "./channels/channel-adapter.ts";
import { ChannelError } from "./channels/channel-problem.ts";
import { collectFromAdapter } from "./collect-reports.server.ts";

const hour = 3_600_000;
/**
 * The longest span that is collected at once after an outage, in milliseconds; it limits the work lost when a step
 * fails.
 */
const step = 7 * 24 * hour;
/** The deadline of a statement, in milliseconds; each report has its own. */
const deadlineMs = 600_000;
/**
 * The deadline of the transaction that holds the source during a step, in milliseconds: longer than a platform takes
 * for the asynchronous reports of two weeks, several minutes each. A step that missed it would begin again, and never
 * end.
 */
const holdMs = 4 * hour;

/**
 * Collects the channels' delivery reports since the last run, up to the last full collection hour (UTC). Each source is
 * collected by one process at a time, because a report of an earlier hour must not follow that of a later one;
 * repeating a span changes nothing. A source that fails is retried with backoff. `isSimulated` says whether the sandbox
 * is a source too. Returns how many facts are new or restated.
 */
export async function collectDueReports(ctx: Ctx<JobActor>, delivery: { isSimulated: boolean }): Promise<number> {
  const adapters = await loadChannelAdapters(ctx);
  return forEachItem(ctx, adapters.reporting(delivery), {
    kind: "sources",
    nameOf: ({ source }) => source,
    work: (adapter) => collectSteps(ctx, adapter),
  });
}

async function collectSteps(ctx: Ctx<JobActor>, adapter: ChannelAdapter): Promise<number> {
  let changed = 0;
  for (let done: number | undefined = 0; done !== undefined; done = await collectStep(ctx, adapter)) changed += done;
  return changed;
}

/**
 * Collects up to a week of a source. Returns how many facts changed; undefined when nothing is due, another process
 * collects the source, or this one stops: the span is then collected again.
 */
async function collectStep(caller: Ctx<JobActor>, adapter: ChannelAdapter): Promise<number | undefined> {
  const ctx = withDeadline(caller, deadlineMs);
  const { source, everyHours } = adapter;
  const clock = ctx.clock();
  const now = new Date(Math.floor(clock.getTime() / (everyHours * hour)) * everyHours * hour);
  // A new source starts now: it has no earlier reports.
  await ctx.db.insert(channelCollections).values({ source, collectedUntil: now }).onConflictDoNothing();
  return withDeadline(caller, holdMs).db.transaction(async (tx) => {
    // The transaction holds an advisory lock alone while the reports are read and ingested through other connections:
    // without a row lock or a snapshot it holds back neither vacuum nor a migration, however long a platform takes.
    if (!(await tryLock(tx, `collect_reports ${source}`))) return undefined;
    // The last statement: a query's snapshot is released by the statement after it.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    const [row] = await ctx.db.select().from(channelCollections).where(eq(channelCollections.source, source));
    if (!row || row.collectedUntil >= now || (row.dueAt && row.dueAt > clock)) return undefined;
    const until = new Date(Math.min(now.getTime(), row.collectedUntil.getTime() + step));
    // A process whose lock was lost does not set back what another has collected since.
    const isSame = and(
      eq(channelCollections.source, source),
      eq(channelCollections.collectedUntil, row.collectedUntil),
    );
    const saveState = (values: Partial<typeof row>) =>
      ctx.db
        .update(channelCollections)
        .set({ checkedAt: clock, ...values })
        .where(isSame);
    try {
      const collected = await collectFromAdapter(ctx, { adapter, from: row.collectedUntil, until });
      if (!collected) return undefined;
      const { changed, ...counts } = collected;
      await saveState({ collectedUntil: until, ...counts, failures: 0, problem: null, lastError: null, dueAt: null });
      return changed;
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      if (ctx.stopping?.aborted) return undefined;
      const { problem, message, retryAfterMs = 0 } = error;
      const failures = row.failures + 1;
      const dueAt = new Date(clock.getTime() + Math.max(backoffMs(failures), retryAfterMs));
      await saveState({ failures, problem, lastError: message, dueAt });
      return undefined;
    }
  });
}
