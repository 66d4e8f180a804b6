import { and, asc, eq, lt, sql } from "drizzle-orm";
import { scheduleImmediateRefresh } from "#app/domain/audiences/integrations/end-refreshes.server.ts";
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
import { retryHint, staleBefore } from "#app/domain/heartbeat.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { allowIdle, inTransaction } from "#app/domain/transaction.server.ts";
import { audienceStore } from "#app/storage/storage.server.ts";
import { type Database, withDeadline } from "#db/client.server.ts";
import { audienceObjects, audiences, audienceUploads } from "#db/schema/index.ts";
import { failedUploadColumns } from "./fail-upload.server.ts";
import { notifyUploadsFailed } from "./notify-upload.server.ts";

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
