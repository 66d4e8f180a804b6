import type { UploadProgress } from "./upload-progress.ts";

/**
 * An upload sent by script. Uploads belong to the window, not to a page, so that navigation does not interrupt them.
 */
export type QueuedUpload = {
  key: number;
  owner: string;
  /** The audience that the files are uploaded to. */
  audience: { name: string; href: string };
  /** The file names. */
  files: string;
  phase: "waiting" | "sending" | "reading" | "done" | "failed";
  sentBytes: number;
  totalBytes: number;
  /** Why the upload failed; `retryable` if sending the same files again can succeed. */
  problem?: { message: string; retryable: boolean };
  state?: UploadProgress;
};

const listeners = new Set<() => void>();
let uploads: readonly QueuedUpload[] = [];

export function subscribeToUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const getUploads = (): readonly QueuedUpload[] => uploads;

export function addUpload(upload: QueuedUpload): void {
  setUploads([...uploads, upload]);
}

/** Does nothing if the upload was removed from the list. */
export function updateUpload(key: number, changes: Partial<QueuedUpload>): void {
  setUploads(uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
}

export function deleteUpload(key: number): void {
  setUploads(uploads.filter((upload) => upload.key !== key));
}

function setUploads(next: readonly QueuedUpload[]): void {
  uploads = next;
  const arriving = uploads.some(({ phase }) => phase === "waiting" || phase === "sending");
  if (arriving) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
  for (const listener of listeners) listener();
}

/** Warns that leaving the site aborts running uploads; the browser supplies the text. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
  event.returnValue = "";
}
