import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { isOfApproved } from "#app/domain/accounts/is-of-approved.server.ts";
import { type PullIntegration, pullIntegrations } from "#app/domain/audiences/data-source.ts";
import { countBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceConnections, audiences } from "#db/schema/index.ts";
import { refreshAudience } from "./refresh-audience.server.ts";

/**
 * No refresh starts while a process has this many imports running: a long list occupies a thread for minutes. The sync
 * of a store does not count, because it waits for the store most of the time.
 */
const maxConcurrentRefreshes = 4;
/** In milliseconds. */
const hour = 60 * 60 * 1000;

/**
 * Starts the refreshes that are due according to each audience's frequency, of approved accounts; those of others wait
 * for their approval. Several processes may run it; only one of them starts an audience's refresh. Returns the number
 * of refreshes started.
 */
export async function refreshDueAudiences(ctx: Ctx<JobActor>): Promise<number> {
  const free = maxConcurrentRefreshes - countBackgroundTasks({ except: "fetch_store" });
  if (free <= 0) return 0;
  const due = await ctx.db
    .select({ id: audiences.id, accountId: audiences.publisherId })
    .from(audiences)
    .innerJoin(audienceConnections, eq(audienceConnections.publisherId, audiences.publisherId))
    .where(
      and(
        lte(audiences.nextRefreshAt, ctx.clock()),
        inArray(audiences.dataSource, [...pullIntegrations] satisfies PullIntegration[]),
        eq(audienceConnections.integration, audiences.dataSource),
        isOfApproved(ctx, audiences.publisherId),
      ),
    )
    .orderBy(asc(audiences.nextRefreshAt))
    .limit(free);
  let started = 0;
  for (const { id, accountId } of due) {
    try {
      await refreshAudience({ ...ctx, actor: { kind: "publisher", accountId } }, id);
      started += 1;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await postpone(ctx, id);
    }
  }
  return started;
}

/**
 * Postpones a refresh that another process started or that is not possible now, such as without the plan, so that other
 * due refreshes are not blocked.
 */
async function postpone(ctx: Ctx<JobActor>, id: AudienceId): Promise<void> {
  const now = ctx.clock();
  await ctx.db
    .update(audiences)
    .set({ nextRefreshAt: new Date(now.getTime() + hour) })
    .where(and(eq(audiences.id, id), lte(audiences.nextRefreshAt, now)));
}
