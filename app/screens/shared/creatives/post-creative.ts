/** What became of a file: the creative it is, or why it is none. */
type Sent = { ids: string[]; error?: string };
type Sending = { to: string; file: File; signal: AbortSignal; onProgress: (sent: number) => void };

/** Sends one file by a script; only XMLHttpRequest tells how much of it is sent. */
export function postCreative({ to, file, signal, onProgress }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file);
    request.open("POST", to);
    request.responseType = "json";
    // The last part is the server's reading of it.
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress((0.95 * loaded) / total));
    request.addEventListener("load", () => resolve(readAnswer(request)));
    request.addEventListener("error", () => resolve(failed("The connection was lost. Choose the file again.")));
    request.addEventListener("abort", () => resolve(failed("Stopped.")));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

function readAnswer({ response, status, responseURL }: XMLHttpRequest): Sent {
  if (isAnswer(response)) return { ids: response.ids, error: response.errors[0] };
  if (/\/login\b/.test(responseURL)) return failed("You are signed out. Sign in and choose the file again.");
  if (status === 408) return failed("The file did not arrive in time. Choose it again.");
  return failed("Something went wrong on our side. Choose the file again.");
}

function failed(error: string): Sent {
  return { ids: [], error };
}

/** What `upload-creatives.tsx` answers. */
function isAnswer(value: unknown): value is { ids: string[]; errors: string[] } {
  return typeof value === "object" && value !== null && "ids" in value && "errors" in value;
}
