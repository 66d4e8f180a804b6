import { Link } from "@remix-run/react";
import { formatBytes, formatCount, formatNumberOf } from "#app/ui/format.ts";
import type { QueuedUpload } from "./upload-list.ts";
import { removeUpload, retryUpload } from "./upload-queue.ts";
import type { UploadState } from "./upload-state.ts";

/** One upload: what, how far, and what one can do about it. */
export function UploadItem({ upload }: { upload: QueuedUpload }) {
  const { key, audience, files, phase, problem, state } = upload;
  const words = `Upload of ${files} to ${audience.name}`;
  const arriving = phase === "waiting" || phase === "sending";
  return (
    <li className="upload" data-phase={phase}>
      <div className="upload-head">
        <strong title={files}>{files}</strong>
        <Link className="link" to={audience.href}>
          {audience.name}
        </Link>
      </div>
      {phase === "done" || phase === "failed" ? null : (
        <progress
          className="progress"
          aria-label={words}
          max={1}
          value={phase === "reading" ? undefined : shareOf(upload)}
        />
      )}
      <p className="upload-words">{problem?.message ?? wordsOf(upload)}</p>
      <div className="upload-actions">
        {state ? (
          <Link to={state.report} onClick={phase === "done" ? () => removeUpload(key) : undefined}>
            View report
          </Link>
        ) : null}
        {phase === "failed" && !problem?.again ? <Link to={`${audience.href}#upload`}>Choose other files</Link> : null}
        {problem?.again ? (
          <button type="button" onClick={() => retryUpload(key)}>
            Retry
          </button>
        ) : null}
        <button
          type="button"
          aria-label={`${arriving ? "Cancel" : "Dismiss"}: ${words}`}
          onClick={() => removeUpload(key)}
        >
          {arriving ? "Cancel" : "Dismiss"}
        </button>
      </div>
    </li>
  );
}

function shareOf({ sentBytes, totalBytes }: QueuedUpload): number {
  return totalBytes === 0 ? 0 : sentBytes / totalBytes;
}

function wordsOf(upload: QueuedUpload): string {
  switch (upload.phase) {
    case "waiting":
      return "Waits for the uploads before it";
    case "sending":
      return `${Math.floor(shareOf(upload) * 100)}% of ${formatBytes(upload.totalBytes)} sent. Keep this window open.`;
    case "reading":
      return "All is sent. Reading and counting people; you can leave.";
    default:
      return upload.state ? `Done: ${outcomeOf(upload.state)}` : "";
  }
}

function outcomeOf({ peopleAdded, peopleRemoved, duplicates, rowsRead, rowsInvalid }: UploadState): string {
  const figures = [
    `${formatNumberOf(rowsRead, "row")} read`,
    peopleRemoved > 0 ? `${formatNumberOf(peopleRemoved, "person", "people")} removed` : "",
    peopleAdded > 0 || peopleRemoved === 0 ? `${formatNumberOf(peopleAdded, "person", "people")} added` : "",
    duplicates > 0 ? formatNumberOf(duplicates, "duplicate") : "",
    rowsInvalid > 0 ? `${formatCount(rowsInvalid)} invalid` : "",
  ];
  return figures.filter(Boolean).join(", ");
}
