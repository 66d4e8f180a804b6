import { eq, sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { channelCollections } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { openAdapters } from "./channels/adapters.server.ts";
import type { ChannelAdapter } from "./channels/channel-adapter.ts";
import { ChannelError } from "./channels/channel-problem.ts";
import { backoffOf } from "./channels/order.ts";
import { collectFrom } from "./collect-reports.server.ts";

const hour = 3_600_000;
/** What is made up for at once, after a time without a server: it bounds what is lost when that fails. */
const step = 7 * 24 * hour;
/** For all of a step; each of its reports has a deadline of its own. */
const deadlineMs = 600_000;

/**
 * Collects what the channels delivered since the last time, up to the last full hour (UTC) at which a source is asked. A source
 * is collected by one process at a time, since a report of an earlier hour must not come after that of a later one; again
 * changes nothing. A channel that gives no report is asked again, each time later. Gives how many facts are new or restated.
 */
export async function collectDueReports(ctx: Ctx<JobActor>): Promise<number> {
  let changed = 0;
  const failures: unknown[] = [];
  for (const adapter of (await openAdapters(ctx)).all()) {
    try {
      for (let done: number | undefined = 0; done !== undefined; done = await collectStep(ctx, adapter))
        changed += done;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "not every channel's report was collected");
  return changed;
}

/** Up to a week of a source; undefined when nothing is due, or another process is at it. */
async function collectStep(ctx: Ctx<JobActor>, adapter: ChannelAdapter): Promise<number | undefined> {
  const { source, everyHours } = adapter;
  const clock = ctx.clock();
  const now = new Date(Math.floor(clock.getTime() / (everyHours * hour)) * everyHours * hour);
  // Nothing is owed from before a source stood behind a channel.
  await ctx.db.insert(channelCollections).values({ source, collectedUntil: now }).onConflictDoNothing();
  return withDeadline(deadlineMs, () =>
    ctx.db.transaction(async (tx) => {
      // It holds the source's row and waits, while the reports are taken in transactions of their own.
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      const [row] = await tx
        .select()
        .from(channelCollections)
        .where(eq(channelCollections.source, source))
        .for("update", { skipLocked: true });
      if (!row || row.collectedUntil >= now || (row.dueAt && row.dueAt > clock)) return undefined;
      const until = new Date(Math.min(now.getTime(), row.collectedUntil.getTime() + step));
      const keep = (values: Partial<typeof row>) =>
        tx
          .update(channelCollections)
          .set({ checkedAt: clock, ...values })
          .where(eq(channelCollections.source, source));
      try {
        const { changed, ...counts } = await collectFrom(ctx, { adapter, from: row.collectedUntil, until });
        await keep({ collectedUntil: until, ...counts, failures: 0, problem: null, lastError: null, dueAt: null });
        return changed;
      } catch (error) {
        if (!(error instanceof ChannelError)) throw error;
        const { problem, message, retryAfterMs = 0 } = error;
        const failures = row.failures + 1;
        const dueAt = new Date(clock.getTime() + Math.max(backoffOf(failures), retryAfterMs));
        await keep({ failures, problem, lastError: message, dueAt });
        return undefined;
      }
    }),
  );
}
