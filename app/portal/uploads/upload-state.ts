import type { UploadStatus } from "#app/domain/audiences/audience.ts";

/** How an upload stands, as `…/uploads/ID/state` answers. */
export type UploadState = {
  /** The address of its report. */
  report: string;
  status: UploadStatus;
  error: string | null;
  /** It broke off, so the same files may well be taken another time; what was refused would be refused again. */
  again: boolean;
  rowsRead: number;
  rowsInvalid: number;
  duplicates: number;
  peopleAdded: number;
  peopleRemoved: number;
};

/** Whether an answer is that, and no page that was answered instead. */
export function isUploadState(answer: unknown): answer is UploadState {
  return typeof answer === "object" && answer !== null && "report" in answer && "status" in answer;
}
