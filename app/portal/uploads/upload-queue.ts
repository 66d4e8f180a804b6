import { otherViewerMessage, otherViewerStatus } from "#app/ui/form/other-viewer.ts";
import { pollUpload } from "./poll-upload.ts";
import { isUploadProgress } from "./upload-progress.ts";
import { addUpload, deleteUpload, getUploads, type QueuedUpload, updateUpload } from "./upload-store.ts";
import { activateUploadTray, getUploadsOwner } from "./upload-tray-activation.ts";

/** Leaves connections of the browser free for pages. */
const maxConcurrentUploads = 2;
const forms = new Map<number, { to: string; form: FormData }>();
const requests = new Map<number, XMLHttpRequest>();
let lastKey = 0;

/** Queues the form's `file`s for upload to `to`, the upload URL of an audience. */
export function enqueueUpload(asked: { to: string; form: FormData; audience: QueuedUpload["audience"] }): void {
  const { to, form, audience } = asked;
  const key = ++lastKey;
  // Each attempt is a separate upload; people who are already in the audience are not added twice.
  form.delete("idempotency_key");
  forms.set(key, { to, form });
  const files = form.getAll("file").flatMap((file) => (file instanceof File ? [file] : []));
  const [first] = files;
  addUpload({
    key,
    owner: getUploadsOwner(),
    audience,
    files: files.length > 1 ? `${first?.name} and ${files.length - 1} more` : (first?.name ?? ""),
    phase: "waiting",
    sentBytes: 0,
    totalBytes: files.reduce((sum, file) => sum + file.size, 0),
  });
  activateUploadTray();
  sendNext();
}

export function retryUpload(key: number): void {
  updateUpload(key, { phase: "waiting", sentBytes: 0, problem: undefined, state: undefined });
  sendNext();
}

/** Aborts the upload and removes it from the list. A file that has already arrived is still processed. */
export function removeUpload(key: number): void {
  deleteUpload(key);
  forms.delete(key);
  requests.get(key)?.abort();
}

function sendNext(): void {
  for (const { key, phase } of getUploads()) if (phase === "waiting" && requests.size < maxConcurrentUploads) send(key);
}

function send(key: number): void {
  const sent = forms.get(key);
  if (!sent) return;
  const request = new XMLHttpRequest();
  requests.set(key, request);
  updateUpload(key, { phase: "sending" });
  request.open("POST", sent.to);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    updateUpload(key, { sentBytes: loaded, totalBytes: total });
  });
  request.upload.addEventListener("load", () => updateUpload(key, { phase: "reading" }));
  request.addEventListener("load", () => {
    if (isUploadProgress(request.response)) pollUpload(key, request.response);
    else updateUpload(key, { phase: "failed", problem: problemOf(request) });
  });
  request.addEventListener("error", () => updateUpload(key, { phase: "failed", problem: connectionLost }));
  request.addEventListener("loadend", () => {
    requests.delete(key);
    sendNext();
  });
  request.send(sent.form);
}

const connectionLost = {
  message: "The connection was lost, or a file changed during the upload. Choose the files again.",
  retryable: true,
};

function problemOf({ status, responseURL }: XMLHttpRequest): NonNullable<QueuedUpload["problem"]> {
  if (/\/login\b/.test(responseURL))
    return { message: "You are signed out. Sign in, then try again.", retryable: true };
  if (status === otherViewerStatus) return { message: otherViewerMessage, retryable: true };
  if (status === 404) return { message: "This audience no longer exists.", retryable: false };
  if (status === 409) return { message: "This audience is archived and no longer accepts uploads.", retryable: false };
  if (status === 413) return { message: "The files are too large. Split them and upload the parts.", retryable: false };
  if (status === 429) return { message: "Too many uploads at once. Try again in a minute.", retryable: true };
  if (status === 503) return { message: "We can't accept files right now. Try again in a minute.", retryable: true };
  return { message: "Something went wrong on our side. Try again.", retryable: true };
}
