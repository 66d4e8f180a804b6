import { and, eq, ne } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { audienceUploads } from "#db/schema/index.ts";
import { notifyUploadsFailed } from "./notify-upload.server.ts";
import { type UploadAttempt, whereAttemptRuns } from "./upload-attempt.server.ts";
import type { UploadReport } from "./upload-report.ts";

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

/**
 * Fails the publisher's running uploads of files that add people: they may have the people being erased, and would
 * bring them back. Runs in the erasure's transaction. Sent again with the same key, such an upload does not restart.
 */
export async function failUploadsAddingPeople(ctx: Ctx<PublisherActor>): Promise<void> {
  const { publisherId, source, status, mode } = audienceUploads;
  const failed = await ctx.db
    .update(audienceUploads)
    .set({ status: "failed", error: endedByErasure, finishedAt: ctx.clock() })
    .where(and(eq(publisherId, ctx.actor.accountId), eq(source, "file"), eq(status, "running"), ne(mode, "remove")))
    .returning(failedUploadColumns);
  await notifyUploadsFailed(ctx, failed);
}

const endedByErasure =
  "People were erased during the upload, and its files may have them. Remove them from the files, then upload these again.";

/** What a notification of failed uploads needs. */
export const failedUploadColumns = {
  id: audienceUploads.id,
  audienceId: audienceUploads.audienceId,
  publisherId: audienceUploads.publisherId,
  source: audienceUploads.source,
  error: audienceUploads.error,
  finishedAt: audienceUploads.finishedAt,
};
