import { and, eq, exists, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import { audienceBlocks, audienceConnections, audiences, audienceUploads } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../context.ts";
import { keepBeating, sendAgain, silentSince } from "../heartbeat.ts";
import type { AudienceId, UploadId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { dropOtherGenerations } from "./members/audience-blocks.server.ts";
import { tellOfFailedUploads } from "./tell-of-upload.server.ts";
import type { UploadReport } from "./upload-report.ts";

/** Says that an upload is worked on until it is stopped; returns the stop. */
export function keepUploadAlive(ctx: Ctx, id: UploadId): () => void {
  return keepBeating(ctx, { work: "read_upload", uploadId: id }, () =>
    ctx.db.update(audienceUploads).set({ aliveAt: ctx.clock() }).where(eq(audienceUploads.id, id)),
  );
}

/** Ends an upload that is still running with words for the person who sent it, and what was seen until then. */
export async function failUpload(
  ctx: Ctx,
  { id, message, report }: { id: UploadId; message: string; report?: Partial<UploadReport> },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(audienceUploads)
      .set({ ...report, status: "failed", error: message, finishedAt: tx.clock() })
      .where(and(eq(audienceUploads.id, id), eq(audienceUploads.status, "running")))
      .returning(endedColumns);
    await tellOfFailedUploads(tx, failed);
  });
}

const endedColumns = {
  id: audienceUploads.id,
  audienceId: audienceUploads.audienceId,
  publisherId: audienceUploads.publisherId,
  source: audienceUploads.source,
  error: audienceUploads.error,
};

/** Ends uploads whose process is gone, and removes what they and others left half-written. Answers how many were ended. */
export async function sweepUploads(ctx: Ctx<JobActor>): Promise<number> {
  const gone = await inTransaction(ctx, async (tx) => {
    const failed = await tx.db
      .update(audienceUploads)
      .set({
        status: "failed",
        error: sql`case ${audienceUploads.source} when 'file' then ${`The upload was interrupted. ${sendAgain}`}
          else 'The refresh was interrupted. It begins again by itself.' end`,
        finishedAt: tx.clock(),
      })
      .where(and(eq(audienceUploads.status, "running"), lt(audienceUploads.aliveAt, silentSince(tx.clock()))))
      .returning(endedColumns);
    const refreshes = failed.filter(({ source }) => source !== "file");
    await beginAgain(
      tx,
      refreshes.map(({ audienceId }) => audienceId),
    );
    await tellOfFailedUploads(tx, failed);
    return failed;
  });
  await sweepBlocks(ctx);
  return gone.length;
}

/**
 * For an erasure, in its transaction: what a refresh that is running has read may hold the people who are to go, so it
 * ends without effect and begins again.
 */
export async function endRefreshes(ctx: Ctx<PublisherActor>): Promise<void> {
  const ended = await ctx.db
    .update(audienceUploads)
    .set({
      status: "failed",
      error: "People were erased while the refresh ran. It begins again by itself.",
      finishedAt: ctx.clock(),
    })
    .where(
      and(
        eq(audienceUploads.publisherId, ctx.actor.accountId),
        eq(audienceUploads.status, "running"),
        ne(audienceUploads.source, "file"),
      ),
    )
    .returning({ audienceId: audienceUploads.audienceId });
  await beginAgain(
    ctx,
    ended.map(({ audienceId }) => audienceId),
  );
}

/** The refreshes of these audiences are due at once, where their program is still connected. */
export async function beginAgain(ctx: Ctx, ids: AudienceId[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db
    .update(audiences)
    .set({ nextRefreshAt: ctx.clock() })
    .where(
      and(
        inArray(audiences.id, ids),
        ne(audiences.status, "archived"),
        isNotNull(audiences.remoteListId),
        isConnected(ctx),
      ),
    );
}

/** Of an audience: its program is connected, so that a refresh of it can be announced. */
export function isConnected(ctx: Ctx) {
  return exists(
    ctx.db
      .select({ id: audienceConnections.id })
      .from(audienceConnections)
      .where(
        and(
          eq(audienceConnections.publisherId, audiences.publisherId),
          eq(audienceConnections.program, audiences.dataSource),
        ),
      ),
  );
}

/** Blocks that no audience names, unless an upload to it is running, which may be writing them. */
async function sweepBlocks(ctx: Ctx<JobActor>): Promise<void> {
  const left = await ctx.db
    .selectDistinct({ audienceId: audienceBlocks.audienceId })
    .from(audienceBlocks)
    .innerJoin(audiences, eq(audiences.id, audienceBlocks.audienceId))
    .where(ne(audienceBlocks.generation, audiences.generation))
    .limit(100);
  for (const { audienceId } of left) {
    // The lock keeps everybody from writing blocks to this audience until what was left is gone.
    await ctx.db.transaction(async (tx) => {
      const [audience] = await tx
        .select({ generation: audiences.generation })
        .from(audiences)
        .where(eq(audiences.id, audienceId))
        .for("update");
      const busy = await tx.$count(
        audienceUploads,
        and(eq(audienceUploads.audienceId, audienceId), eq(audienceUploads.status, "running")),
      );
      if (audience && busy === 0) await dropOtherGenerations(tx, { audienceId, generation: audience.generation });
    });
  }
}
