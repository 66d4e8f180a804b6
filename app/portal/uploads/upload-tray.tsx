import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { pluralize } from "#app/ui/format.ts";
import { UploadItem } from "./upload-item.tsx";
import { getUploads, type QueuedUpload, subscribeToUploads } from "./upload-store.ts";

/** Lists uploads in a corner of every page. Each stays until it is dismissed. */
export default function UploadTray({ owner }: { owner: string }) {
  const all = useSyncExternalStore(subscribeToUploads, getUploads, getUploads);
  const uploads = all.filter((upload) => upload.owner === owner);
  const ended = uploads.filter(({ phase }) => phase === "done" || phase === "failed").length;
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

/** Reloads the page's data when an upload ends, since the page may show what the upload changed. */
function useRevalidateOnEnd(ended: number): void {
  const { revalidate } = useRevalidator();
  const before = useRef(0);
  useEffect(() => {
    if (ended > before.current) revalidate();
    before.current = ended;
  }, [ended, revalidate]);
}
