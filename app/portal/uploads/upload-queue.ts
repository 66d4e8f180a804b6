import { followUpload } from "./follow-upload.ts";
import { addUpload, changeUpload, dropUpload, listUploads, type QueuedUpload } from "./upload-list.ts";
import { signalUploads, uploadsOwner } from "./upload-signal.ts";
import { isUploadState } from "./upload-state.ts";

/** The browser needs connections for pages too. */
const mostAtOnce = 2;
const forms = new Map<number, { to: string; form: FormData }>();
const requests = new Map<number, XMLHttpRequest>();
let lastKey = 0;

/** Sends the form's `file`s to `to`, an audience's address for uploads, when it is their turn. */
export function beginUpload(asked: { to: string; form: FormData; audience: QueuedUpload["audience"] }): void {
  const { to, form, audience } = asked;
  const key = ++lastKey;
  // Each sending is an upload of its own; people who are there already are no others.
  form.delete("idempotency_key");
  forms.set(key, { to, form });
  const files = form.getAll("file").flatMap((file) => (file instanceof File ? [file] : []));
  const [first] = files;
  addUpload({
    key,
    owner: uploadsOwner(),
    audience,
    files: files.length > 1 ? `${first?.name} and ${files.length - 1} more` : (first?.name ?? ""),
    phase: "waiting",
    sentBytes: 0,
    totalBytes: files.reduce((sum, file) => sum + file.size, 0),
  });
  signalUploads();
  sendNext();
}

export function retryUpload(key: number): void {
  changeUpload(key, { phase: "waiting", sentBytes: 0, problem: undefined, state: undefined });
  sendNext();
}

/** Stops sending it, and takes it off the list. What has arrived whole is read to its end. */
export function removeUpload(key: number): void {
  dropUpload(key);
  forms.delete(key);
  requests.get(key)?.abort();
}

function sendNext(): void {
  for (const { key, phase } of listUploads()) if (phase === "waiting" && requests.size < mostAtOnce) send(key);
}

function send(key: number): void {
  const sent = forms.get(key);
  if (!sent) return;
  const request = new XMLHttpRequest();
  requests.set(key, request);
  changeUpload(key, { phase: "sending" });
  request.open("POST", sent.to);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    changeUpload(key, { sentBytes: loaded, totalBytes: total });
  });
  request.upload.addEventListener("load", () => changeUpload(key, { phase: "reading" }));
  request.addEventListener("load", () => {
    if (isUploadState(request.response)) followUpload(key, request.response);
    else changeUpload(key, { phase: "failed", problem: problemOf(request) });
  });
  request.addEventListener("error", () => changeUpload(key, { phase: "failed", problem: connectionLost }));
  request.addEventListener("loadend", () => {
    requests.delete(key);
    sendNext();
  });
  request.send(sent.form);
}

const connectionLost = { message: "The connection was lost, or a file changed meanwhile.", again: true };

function problemOf({ status, responseURL }: XMLHttpRequest): NonNullable<QueuedUpload["problem"]> {
  if (/\/login\b/.test(responseURL)) return { message: "You are signed out. Sign in, then retry.", again: true };
  if (status === 404) return { message: "This audience is not there any more.", again: false };
  if (status === 409) return { message: "This audience is archived; nothing can be uploaded to it.", again: false };
  if (status === 413) return { message: "The files are too large. Split them and send the parts.", again: false };
  if (status === 429) return { message: "Too many uploads at once. Try again in a moment.", again: true };
  if (status === 503) return { message: "We cannot take files at the moment. Try again in a minute.", again: true };
  return { message: "Something went wrong on our side.", again: true };
}
