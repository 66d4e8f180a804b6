import type { UploadStatus } from "#app/domain/audiences/audience.ts";

/** An upload's progress, as `…/uploads/ID/state` returns it. */
export type UploadProgress = {
  /** The URL of the upload's report. */
  report: string;
  status: UploadStatus;
  error: string | null;
  /**
   * True if the upload was interrupted or there was no room for it, so retrying the same files can succeed; false if
   * the files were rejected.
   */
  retryable: boolean;
  rowsRead: number;
  rowsInvalid: number;
  rowsOptedOut: number;
  duplicates: number;
  peopleAdded: number;
  peopleRemoved: number;
};

/** Whether a response is upload progress, not an HTML page. */
export function isUploadProgress(answer: unknown): answer is UploadProgress {
  return typeof answer === "object" && answer !== null && "report" in answer && "status" in answer;
}
