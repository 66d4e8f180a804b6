import type { Ctx } from "#app/domain/context.ts";
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

/** What a notification of failed uploads needs. */
export const failedUploadColumns = {
  id: audienceUploads.id,
  audienceId: audienceUploads.audienceId,
  publisherId: audienceUploads.publisherId,
  source: audienceUploads.source,
  error: audienceUploads.error,
  finishedAt: audienceUploads.finishedAt,
};
