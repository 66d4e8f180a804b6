import { and, eq } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import { startHeartbeat } from "#app/domain/heartbeat.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { audienceUploads } from "#db/schema/index.ts";

/**
 * The attempt at an upload that a process makes. An upload that is interrupted and sent again is the next attempt, so
 * that a process that was only paused neither ends it nor changes the audience.
 */
export type UploadAttempt = { id: UploadId; attempt: number };

/** Another process has ended the upload, or makes the next attempt. */
export class UploadEndedError extends Error {
  override name = "UploadEndedError";
}

/** The condition that this is the upload's newest attempt and still runs. Everything that an attempt writes has it. */
export function whereAttemptRuns({ id, attempt }: UploadAttempt) {
  return and(eq(audienceUploads.id, id), eq(audienceUploads.attempt, attempt), eq(audienceUploads.status, "running"));
}

/** Marks an upload as alive periodically; returns a function that stops this. */
export function startUploadHeartbeat(ctx: Ctx, upload: UploadAttempt): () => void {
  return startHeartbeat(ctx, { work: "read_upload", uploadId: upload.id }, () =>
    ctx.db.update(audienceUploads).set({ heartbeatAt: ctx.clock() }).where(whereAttemptRuns(upload)),
  );
}
