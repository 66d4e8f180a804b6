import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { pluralize } from "#app/ui/format.ts";
import { UploadItem } from "./upload-item.tsx";
import { getUploads, type QueuedUpload, subscribeToUploads } from "./upload-store.ts";

/** Lists uploads in a corner of every page. Each stays until it is dismissed. */
export default function UploadTray({ owner }: { owner: string }) {
  const all = useSyncExternalStore(subscribeToUploads, getUploads, getUploads);
  const uploads = all.filter((upload) => upload.owner === owner);
  const ended = uploads.filter(isShownOnPages).length;
  useRevalidateOnEnd(ended);
  return (
    <>
      <p className="sr-only" role="status">
        {uploads.length > 0 ? describeUploads(uploads) : null}
      </p>
      {uploads.length > 0 ? (
        <section className="uploads" aria-label="Uploads">
          <ul>
            {uploads.map((upload) => (
              <UploadItem key={upload.key} upload={upload} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

/** Whether the upload has ended and a page may show it: none shows one that the server did not take but may later. */
function isShownOnPages({ phase, problem, state }: QueuedUpload): boolean {
  return phase === "done" || (phase === "failed" && (state !== undefined || !problem?.retryable));
}

/** The live region's text, which changes when an upload starts or ends, not with every percent. */
function describeUploads(uploads: readonly QueuedUpload[]): string {
  const count = (...phases: QueuedUpload["phase"][]) => uploads.filter(({ phase }) => phases.includes(phase)).length;
  const parts = [
    [count("waiting", "sending", "reading"), "in progress"],
    [count("done"), "done"],
    [count("failed"), "failed"],
  ] as const;
  return parts.flatMap(([number, word]) => (number > 0 ? `${pluralize(number, "upload")} ${word}` : [])).join(", ");
}

/**
 * Reloads the page's data when an upload ends, since the page may show what the upload changed. Where another person
 * has signed in, that would replace the page and the upload's message.
 */
function useRevalidateOnEnd(ended: number): void {
  const { revalidate } = useRevalidator();
  const before = useRef(0);
  useEffect(() => {
    if (ended > before.current) revalidate();
    before.current = ended;
  }, [ended, revalidate]);
}
