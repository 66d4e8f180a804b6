import type { UploadState } from "./upload-state.ts";

/** An upload that a script sends. They live in the window, not in a page, so that one can go on while they do. */
export type QueuedUpload = {
  key: number;
  owner: string;
  /** The audience that the files go to. */
  audience: { name: string; href: string };
  /** What they are called. */
  files: string;
  phase: "waiting" | "sending" | "reading" | "done" | "failed";
  sentBytes: number;
  totalBytes: number;
  /** Why it failed; `again` when sending the same files once more may help. */
  problem?: { message: string; again: boolean };
  state?: UploadState;
};

const listeners = new Set<() => void>();
let uploads: readonly QueuedUpload[] = [];

export function subscribeToUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const listUploads = (): readonly QueuedUpload[] => uploads;

export function addUpload(upload: QueuedUpload): void {
  setUploads([...uploads, upload]);
}

/** Does nothing when it was taken off the list. */
export function changeUpload(key: number, changes: Partial<QueuedUpload>): void {
  setUploads(uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
}

export function dropUpload(key: number): void {
  setUploads(uploads.filter((upload) => upload.key !== key));
}

function setUploads(next: readonly QueuedUpload[]): void {
  uploads = next;
  const arriving = uploads.some(({ phase }) => phase === "waiting" || phase === "sending");
  if (arriving) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
  for (const listener of listeners) listener();
}

/** Leaving the site would cut off what is being sent; the browser asks in its own words. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
  event.returnValue = "";
}
