import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { formatNumberOf } from "#app/ui/format.ts";
import { UploadItem } from "./upload-item.tsx";
import { listUploads, type QueuedUpload, subscribeToUploads } from "./upload-list.ts";

/** What is being uploaded, in a corner of every page. Each stays until it is put away. */
export default function UploadTray({ owner }: { owner: string }) {
  const all = useSyncExternalStore(subscribeToUploads, listUploads, listUploads);
  const uploads = all.filter((upload) => upload.owner === owner);
  const ended = uploads.filter(({ phase }) => phase === "done" || phase === "failed").length;
  useFreshPage(ended);
  return (
    <>
      <p className="sr-only" role="status">
        {uploads.length > 0 ? wordsOf(uploads) : null}
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

/** Heard when an upload begins or ends, not at every percent. */
function wordsOf(uploads: readonly QueuedUpload[]): string {
  const count = (...phases: QueuedUpload["phase"][]) => uploads.filter(({ phase }) => phases.includes(phase)).length;
  const parts = [
    [count("waiting", "sending", "reading"), "under way"],
    [count("done"), "done"],
    [count("failed"), "failed"],
  ] as const;
  return parts
    .flatMap(([number, word]) => (number > 0 ? `${formatNumberOf(number, "upload")} ${word}` : []))
    .join(", ");
}

/** The page may show what an upload has changed: it is loaded again when one ends. */
function useFreshPage(ended: number): void {
  const { revalidate } = useRevalidator();
  const before = useRef(0);
  useEffect(() => {
    if (ended > before.current) revalidate();
    before.current = ended;
  }, [ended, revalidate]);
}
