import { and, eq } from "drizzle-orm";
import type { UploadId } from "#app/domain/ids.ts";
import { audienceUploads } from "#db/schema/index.ts";

/**
 * The attempt at an upload that a process makes. An upload that is interrupted and sent again is the next attempt, so that a
 * process that was only paused neither ends it nor changes the audience.
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
