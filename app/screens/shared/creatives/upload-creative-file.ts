import { creativeLimits } from "#app/domain/creatives/creative.ts";
import { otherViewerMessage, otherViewerStatus } from "#app/ui/form/other-viewer.ts";
import { viewerField } from "#app/ui/form/viewer-field.ts";

/** The result of an upload: the creative's id, or an error; `retryable` if sending the same file again can succeed. */
export type SentFile = { ids: string[]; error?: string; retryable?: boolean };
/**
 * `viewer`: the id of the person whose page it is. `place`: the file's place among those that were selected together,
 * from 0.
 */
export type SendingFile = {
  to: string;
  viewer: string | undefined;
  file: File;
  place: number;
  signal: AbortSignal;
  onProgress: (sent: number) => void;
};

/**
 * Uploads one file by script, with XMLHttpRequest because only it reports upload progress. A file that would be
 * rejected is not sent.
 */
export function uploadCreativeFile({ to, viewer, file, place, signal, onProgress }: SendingFile): Promise<SentFile> {
  return new Promise((resolve) => {
    const rejection = describeRejection(file, place);
    if (rejection !== undefined) return resolve(failed(rejection));
    const request = new XMLHttpRequest();
    const form = new FormData();
    if (viewer !== undefined) form.append(viewerField, viewer);
    form.append("file", file);
    request.open("POST", to);
    request.responseType = "json";
    // The remaining 5% is the server's processing.
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress((0.95 * loaded) / total));
    request.addEventListener("load", () => resolve(readAnswer(request)));
    request.addEventListener("error", () => resolve(interrupted("The connection was lost")));
    request.addEventListener("abort", () => resolve(failed("Upload canceled.")));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

function readAnswer({ response, status, responseURL }: XMLHttpRequest): SentFile {
  if (isUploadResponse(response)) return { ids: response.ids, error: response.errors[0] };
  if (/\/login\b/.test(responseURL)) return failed("You are signed out. Sign in and choose the file again.");
  if (status === otherViewerStatus) return { ...failed(otherViewerMessage), retryable: true };
  if (status === 408) return interrupted("The upload timed out");
  if (status === 503 || status === 429) return interrupted("The server is busy. Try again in a minute.");
  return interrupted("Something went wrong on our side");
}

function failed(error: string): SentFile {
  return { ids: [], error };
}

function interrupted(error: string): SentFile {
  return { ids: [], error, retryable: true };
}

/** Whether a value is the response of `upload/route.ts`. */
function isUploadResponse(value: unknown): value is { ids: string[]; errors: string[] } {
  return typeof value === "object" && value !== null && "ids" in value && "errors" in value;
}

function describeRejection(file: File, place: number): string | undefined {
  const { fileBytes, perUpload } = creativeLimits;
  if (place >= perUpload) return `Upload up to ${perUpload} files at a time. Upload this file separately.`;
  return file.size > fileBytes
    ? `The file is larger than ${fileBytes / 1024 / 1024} MB. Choose a smaller file.`
    : undefined;
}
