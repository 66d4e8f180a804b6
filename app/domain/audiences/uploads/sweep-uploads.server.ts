import { and, asc, desc, eq, inArray, is, isNull, lt, ne, notLike, or, sql } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import {
  refreshInterrupted,
  refreshStopped,
  scheduleImmediateRefresh,
} from "#app/domain/audiences/integrations/end-refreshes.server.ts";
import {
  dropOtherGenerations,
  hasOtherGenerations,
  listAudiencesWithLeftovers,
} from "#app/domain/audiences/members/audience-blocks.server.ts";
import { toGenerations } from "#app/domain/audiences/members/deltas.ts";
import { tryRewriteLock } from "#app/domain/audiences/members/rewrite-lock.server.ts";
import {
  deleteObjects,
  filterUnnamed,
  findUnnamed,
  listObjectKeys,
} from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { orUnavailable } from "#app/domain/audiences/members/stores/object-trouble.ts";
import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import { retryHint, staleBefore } from "#app/domain/heartbeat.ts";
import type { AudienceId, UploadId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { requireOwnStorage } from "#app/domain/storage-owner.server.ts";
import { allowIdle, inTransaction } from "#app/domain/transaction.server.ts";
import { audienceStore } from "#app/storage/storage.server.ts";
import { type Database, withDeadline } from "#db/client.server.ts";
import { audienceObjects, audiences, audienceUploads } from "#db/schema/index.ts";
import { failedUploadColumns } from "./fail-upload.server.ts";
import { notifyUploadsFailed } from "./notify-upload.server.ts";

/** A refresh that was interrupted so often in a row may be what ends the process. */
const maxInterruptions = 6;
const refreshEnded =
  "The refresh was interrupted several times and does not restart now. The audience was not changed. Refresh it again later.";

/**
 * Fails uploads whose process is gone and deletes blocks that were left half-written. A refresh restarts, except after
 * its last attempt. Returns the number of failed uploads.
 */
export async function sweepUploads(ctx: Ctx<JobActor>): Promise<number> {
  const failed = await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(audienceUploads)
      .set({
        status: "failed",
        error: sql`case ${audienceUploads.source} when 'file' then ${`The upload was interrupted. ${retryHint}`}
          else ${refreshInterrupted} end`,
        finishedAt: tx.clock(),
      })
      .where(and(eq(audienceUploads.status, "running"), lt(audienceUploads.heartbeatAt, staleBefore(tx.clock()))))
      .returning(failedUploadColumns);
    const refreshes = failed.filter(({ source }) => source !== "file");
    const ended: UploadId[] = [];
    for (const { id, audienceId } of refreshes) if (await wasLastAttempt(tx, audienceId)) ended.push(id);
    await tx.db.update(audienceUploads).set({ error: refreshEnded }).where(inArray(audienceUploads.id, ended));
    await scheduleImmediateRefresh(
      tx,
      refreshes.flatMap(({ id, audienceId }) => (ended.includes(id) ? [] : audienceId)),
    );
    await notifyUploadsFailed(
      tx,
      failed.map((one) => (ended.includes(one.id) ? { ...one, error: refreshEnded } : one)),
    );
    return failed;
  });
  await sweepBlocks(ctx);
  return failed.length;
}

/** Whether so many refreshes of an audience were interrupted that none restarts, besides those stopped in order. */
async function wasLastAttempt(ctx: Ctx<JobActor>, audienceId: AudienceId): Promise<boolean> {
  const last = await ctx.db
    .select({ error: audienceUploads.error })
    .from(audienceUploads)
    .where(and(eq(audienceUploads.audienceId, audienceId), ne(audienceUploads.source, "file"), isAttempt))
    .orderBy(desc(audienceUploads.createdAt), desc(audienceUploads.id))
    .limit(maxInterruptions);
  return last.length === maxInterruptions && last.every(({ error }) => error === refreshInterrupted);
}

const isAttempt = or(isNull(audienceUploads.error), notLike(audienceUploads.error, `%${refreshStopped}`));

/** Deletes blocks that no audience refers to, except while an upload that may be writing them is running. */
async function sweepBlocks(ctx: Ctx<JobActor>): Promise<void> {
  for (const audienceId of await listAudiencesWithLeftovers(ctx.db)) {
    if (ctx.stopping?.aborted) return;
    // One audience that is locked, or whose objects cannot be listed, does not keep the others from it.
    try {
      await sweepAudience(ctx, audienceId, await listKeys(ctx.db, audienceId));
    } catch (error) {
      reportError(ctx, error, { work: "sweep_blocks", audienceId });
    }
  }
}

/**
 * The same for the audiences of a publisher, and for objects that no row names. The database may take `timeoutMs` for
 * an audience with something left.
 */
export async function sweepOwnAudiences(ctx: Ctx<PublisherActor>, { timeoutMs }: { timeoutMs: number }): Promise<void> {
  // The transaction of a caller waits for the storage, until its deadline.
  if (is(ctx.db, PgTransaction)) await allowIdle(ctx.db, timeoutMs);
  const own = await ctx.db
    .select({ id: audiences.id, ...placeColumns })
    .from(audiences)
    .where(eq(audiences.publisherId, ctx.actor.accountId))
    .orderBy(asc(audiences.id));
  for (const { id, ...place } of own) {
    if (await hasRunningUpload(ctx.db, id)) continue;
    const keys = await listKeys(ctx.db, id);
    // The lock of `sweepAudience` would keep others waiting, and there is rarely something left.
    if ((await hasOtherGenerations(ctx.db, toGenerations(id, place))) || (await filterUnnamed(ctx.db, keys)).length > 0)
      await sweepAudience(withDeadline(ctx, timeoutMs), id, keys);
  }
}

const placeColumns = {
  generation: audiences.generation,
  objectGeneration: audiences.objectGeneration,
  deltas: audiences.deltas,
};

/**
 * Deletes the blocks of an audience that it does not refer to, and those of the objects that no row names, except while
 * an upload that may be writing them is running. `keys` are its objects, as they were listed before.
 */
async function sweepAudience(
  ctx: Pick<Ctx, "db" | "clock">,
  audienceId: AudienceId,
  keys: readonly string[],
): Promise<void> {
  const left = await ctx.db.transaction(async (tx) => {
    // Until it is known which are left, this lock keeps uploads from beginning, and blocks from being inserted: their
    // rows refer to the audience's.
    const [audience] = await tx.select(placeColumns).from(audiences).where(eq(audiences.id, audienceId)).for("update");
    if (!audience || (await hasRunningUpload(tx, audienceId))) return [];
    await dropOtherGenerations(tx, toGenerations(audienceId, audience));
    // Nobody else writes objects now. What was listed of those that began meanwhile has its rows.
    return keys.length > 0 && (await tryRewriteLock(tx, audienceId)) ? findUnnamed(tx, keys) : [];
  });
  if (left.length === 0) return;
  await orUnavailable(async () => {
    await requireOwnStorage(ctx);
    await deleteObjects(left);
  });
}

async function hasRunningUpload(db: Database, audienceId: AudienceId): Promise<boolean> {
  const running = and(eq(audienceUploads.audienceId, audienceId), eq(audienceUploads.status, "running"));
  return (await db.$count(audienceUploads, running)) > 0;
}

/** Lists an audience's objects in the storage, where there may be some. */
async function listKeys(db: Database, audienceId: AudienceId): Promise<string[]> {
  const hasRows = async () => (await db.$count(audienceObjects, eq(audienceObjects.audienceId, audienceId))) > 0;
  const mayHaveObjects = audienceStore() === "objects" || (await hasRows());
  return mayHaveObjects ? orUnavailable(() => listObjectKeys(audienceId)) : [];
}
