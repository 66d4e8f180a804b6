import { and, asc, eq, exists, inArray, isNotNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { dataSourceLabels, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import {
  dropOtherGenerations,
  hasOtherGenerations,
  listAudiencesWithLeftovers,
} from "#app/domain/audiences/members/audience-blocks.server.ts";
import { type Generations, toGenerations } from "#app/domain/audiences/members/deltas.ts";
import { tryRewriteLock } from "#app/domain/audiences/members/rewrite-lock.server.ts";
import {
  deleteObjects,
  findObjectsLeftOf,
  hasUnnamedObjects,
} from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { orUnavailable } from "#app/domain/audiences/members/stores/object-trouble.ts";
import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import { retryHint, staleBefore, startHeartbeat } from "#app/domain/heartbeat.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { allowIdle, inTransaction } from "#app/domain/transaction.server.ts";
import { audienceStore } from "#app/storage/storage.server.ts";
import { type Database, withDeadline } from "#db/client.server.ts";
import { audienceConnections, audienceObjects, audiences, audienceUploads } from "#db/schema/index.ts";
import { notifyUploadsFailed } from "./notify-upload.server.ts";
import { type UploadAttempt, whereAttemptRuns } from "./upload-attempt.server.ts";
import type { UploadReport } from "./upload-report.ts";

/** Marks an upload as alive periodically; returns a function that stops this. */
export function startUploadHeartbeat(ctx: Ctx, upload: UploadAttempt): () => void {
  return startHeartbeat(ctx, { work: "read_upload", uploadId: upload.id }, () =>
    ctx.db.update(audienceUploads).set({ heartbeatAt: ctx.clock() }).where(whereAttemptRuns(upload)),
  );
}

/** Marks an attempt that runs as failed, with a message for the uploader and the report so far. */
export async function failUpload(
  ctx: Ctx,
  { message, report, ...upload }: UploadAttempt & { message: string; report?: Partial<UploadReport> | undefined },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(audienceUploads)
      .set({ ...report, status: "failed", error: message, finishedAt: tx.clock() })
      .where(whereAttemptRuns(upload))
      .returning(failedUploadColumns);
    await notifyUploadsFailed(tx, failed);
  });
}

const failedUploadColumns = {
  id: audienceUploads.id,
  audienceId: audienceUploads.audienceId,
  publisherId: audienceUploads.publisherId,
  source: audienceUploads.source,
  error: audienceUploads.error,
  finishedAt: audienceUploads.finishedAt,
};

/**
 * Fails uploads whose process is gone and deletes blocks that were left half-written. Returns the number of failed
 * uploads.
 */
export async function sweepUploads(ctx: Ctx<JobActor>): Promise<number> {
  const failed = await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(audienceUploads)
      .set({
        status: "failed",
        error: sql`case ${audienceUploads.source} when 'file' then ${`The upload was interrupted. ${retryHint}`}
          else 'The refresh was interrupted. It restarts automatically.' end`,
        finishedAt: tx.clock(),
      })
      .where(and(eq(audienceUploads.status, "running"), lt(audienceUploads.heartbeatAt, staleBefore(tx.clock()))))
      .returning(failedUploadColumns);
    const refreshes = failed.filter(({ source }) => source !== "file");
    await scheduleImmediateRefresh(
      tx,
      refreshes.map(({ audienceId }) => audienceId),
    );
    await notifyUploadsFailed(tx, failed);
    return failed;
  });
  await sweepBlocks(ctx);
  return failed.length;
}

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
 * Fails the running refresh of an audience whose people come from somewhere else from now on. Runs in the transaction that
 * changes it, which holds the audience's lock.
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

/** Deletes blocks that no audience refers to, except while an upload that may be writing them is running. */
async function sweepBlocks(ctx: Ctx<JobActor>): Promise<void> {
  for (const audienceId of await listAudiencesWithLeftovers(ctx.db)) {
    // One audience that is locked, or whose objects cannot be listed, does not keep the others from it.
    await sweepAudience(ctx.db, audienceId).catch((error: unknown) =>
      reportError(ctx, error, { work: "sweep_blocks", audienceId }),
    );
  }
}

/**
 * The same for the audiences of a publisher, and for objects that no row names. An audience with something left may take
 * `timeoutMs`.
 */
export async function sweepOwnAudiences(ctx: Ctx<PublisherActor>, { timeoutMs }: { timeoutMs: number }): Promise<void> {
  const own = await ctx.db
    .select({ id: audiences.id, ...placeColumns })
    .from(audiences)
    .where(eq(audiences.publisherId, ctx.actor.accountId))
    .orderBy(asc(audiences.id));
  // The lock of `sweepAudience` would keep others waiting, and there is rarely something left.
  for (const { id, ...place } of own)
    if (await hasLeftovers(ctx.db, toGenerations(id, place)))
      await sweepAudience(withDeadline(ctx, timeoutMs).db, id, timeoutMs);
}

async function hasLeftovers(db: Database, place: Generations): Promise<boolean> {
  if (await hasRunningUpload(db, place.audienceId)) return false;
  if (await hasOtherGenerations(db, place)) return true;
  return (await mayHaveObjects(db, place)) && (await orUnavailable(() => hasUnnamedObjects(db, place.audienceId)));
}

const placeColumns = {
  generation: audiences.generation,
  objectGeneration: audiences.objectGeneration,
  deltas: audiences.deltas,
};

/**
 * Deletes the blocks of an audience that it does not refer to, except while an upload that may be writing them is running.
 * With `idleMs` it may wait that long for the storage.
 */
async function sweepAudience(db: Database, audienceId: AudienceId, idleMs?: number): Promise<void> {
  const left = await db.transaction(async (tx) => {
    if (idleMs !== undefined) await allowIdle(tx, idleMs);
    // Until it is known which are left, this lock keeps uploads from beginning, and blocks from being inserted: their rows
    // refer to the audience's.
    const [audience] = await tx.select(placeColumns).from(audiences).where(eq(audiences.id, audienceId)).for("update");
    if (!audience || (await hasRunningUpload(tx, audienceId))) return [];
    const place = toGenerations(audienceId, audience);
    await dropOtherGenerations(tx, place);
    // Nobody else writes objects now. They are listed only where there may be some.
    if (!((await mayHaveObjects(tx, place)) && (await tryRewriteLock(tx, audienceId)))) return [];
    return orUnavailable(() => findObjectsLeftOf(tx, audienceId));
  });
  await orUnavailable(() => deleteObjects(left));
}

async function hasRunningUpload(db: Database, audienceId: AudienceId): Promise<boolean> {
  const running = and(eq(audienceUploads.audienceId, audienceId), eq(audienceUploads.status, "running"));
  return (await db.$count(audienceUploads, running)) > 0;
}

async function mayHaveObjects(db: Database, { audienceId }: Generations): Promise<boolean> {
  if (audienceStore() === "objects") return true;
  return (await db.$count(audienceObjects, eq(audienceObjects.audienceId, audienceId))) > 0;
}
