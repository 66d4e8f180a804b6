import { and, eq, exists, inArray, isNotNull, ne, type SQL } from "drizzle-orm";
import { dataSourceLabels, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceConnections, audiences, audienceUploads } from "#db/schema/index.ts";

/** The error of a refresh whose process ended without stopping it. */
export const refreshInterrupted = "The refresh was interrupted. It restarts automatically.";
/**
 * The error of a refresh that its process stopped in order, which is no failed attempt. The name of the list may
 * precede it.
 */
export const refreshStopped = "The refresh was stopped by a restart of the server. It restarts automatically.";

/**
 * Fails running refreshes and reschedules them: what they have read may contain the people being erased. Runs in the
 * erasure's transaction.
 */
export async function failRunningRefreshes(ctx: Ctx<PublisherActor>): Promise<void> {
  const ended = await endRefreshes(ctx, {
    which: eq(audienceUploads.publisherId, ctx.actor.accountId),
    message: "The refresh was interrupted because people were erased. It restarts automatically.",
  });
  await scheduleImmediateRefresh(ctx, ended);
}

/**
 * Fails the running refresh of an audience whose people come from somewhere else from now on. Runs in the transaction
 * that changes it, which holds the audience's lock.
 */
export async function failRefreshOf(
  ctx: Ctx<PublisherActor>,
  { audienceId, because }: { audienceId: AudienceId; because: string },
): Promise<void> {
  await endRefreshes(ctx, { which: eq(audienceUploads.audienceId, audienceId), message: describeEnd(because) });
}

/** Fails the publisher's running refreshes from an integration that is being disconnected. */
export async function failRefreshesFrom(ctx: Ctx<PublisherActor>, integration: PullIntegration): Promise<void> {
  const own = eq(audienceUploads.publisherId, ctx.actor.accountId);
  const message = describeEnd(`${dataSourceLabels[integration]} was disconnected`);
  await endRefreshes(ctx, { which: and(own, eq(audienceUploads.source, integration)), message });
}

function describeEnd(because: string): string {
  return `The refresh was ended because ${because}. The audience was not changed.`;
}

/** Returns the audiences whose refresh has failed with this. A refresh that has ended changes nobody. */
async function endRefreshes(
  ctx: Ctx<PublisherActor>,
  { which, message }: { which: SQL | undefined; message: string },
): Promise<AudienceId[]> {
  const ended = await ctx.db
    .update(audienceUploads)
    .set({ status: "failed", error: message, finishedAt: ctx.clock() })
    .where(and(which, eq(audienceUploads.status, "running"), ne(audienceUploads.source, "file")))
    .returning({ audienceId: audienceUploads.audienceId });
  return ended.map(({ audienceId }) => audienceId);
}

/** Makes the refreshes of these audiences due at once, if their integration is still connected. */
export async function scheduleImmediateRefresh(ctx: Ctx, ids: AudienceId[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db
    .update(audiences)
    .set({ nextRefreshAt: ctx.clock() })
    .where(
      and(
        inArray(audiences.id, ids),
        ne(audiences.status, "archived"),
        isNotNull(audiences.remoteListId),
        whereIntegrationConnected(ctx),
      ),
    );
}

/** The condition that an audience's integration is connected, so that a refresh can be scheduled. */
export function whereIntegrationConnected(ctx: Ctx) {
  return exists(
    ctx.db
      .select({ id: audienceConnections.id })
      .from(audienceConnections)
      .where(
        and(
          eq(audienceConnections.publisherId, audiences.publisherId),
          eq(audienceConnections.integration, audiences.dataSource),
        ),
      ),
  );
}
