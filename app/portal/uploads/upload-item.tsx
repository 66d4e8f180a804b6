import { formatBytes, formatCount, pluralize } from "#app/ui/format.ts";
import { Link } from "#app/ui/link.tsx";
import type { UploadProgress } from "./upload-progress.ts";
import { removeUpload, retryUpload } from "./upload-queue.ts";
import type { QueuedUpload } from "./upload-store.ts";

/** One upload: its files, its progress and its actions. */
export function UploadItem({ upload }: { upload: QueuedUpload }) {
  const { key, audience, files, phase, problem, state } = upload;
  const words = `Upload of ${files} to ${audience.name}`;
  const arriving = phase === "waiting" || phase === "sending";
  return (
    <li className="upload" data-phase={phase}>
      <div className="upload-header">
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
      <p className="upload-text">{problem?.message ?? describeUpload(upload)}</p>
      <div className="upload-actions">
        {state ? (
          <Link to={state.report} onClick={phase === "done" ? () => removeUpload(key) : undefined}>
            View report
          </Link>
        ) : null}
        {phase === "failed" && !problem?.retryable ? (
          <Link to={`${audience.href}#upload`}>Choose other files</Link>
        ) : null}
        {problem?.retryable ? (
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

function describeUpload(upload: QueuedUpload): string {
  switch (upload.phase) {
    case "waiting":
      return "Queued behind other uploads";
    case "sending":
      return `${Math.floor(shareOf(upload) * 100)}% of ${formatBytes(upload.totalBytes)} uploaded. Keep this window open.`;
    case "reading":
      return "Upload complete. Counting people now. You can leave this page.";
    default:
      return upload.state ? `Imported: ${outcomeOf(upload.state)}` : "";
  }
}

function outcomeOf({
  peopleAdded,
  peopleRemoved,
  duplicates,
  rowsRead,
  rowsInvalid,
  rowsOptedOut,
}: UploadProgress): string {
  const figures = [
    `${pluralize(rowsRead, "row")} read`,
    peopleRemoved > 0 ? `${pluralize(peopleRemoved, "person", "people")} removed` : "",
    peopleAdded > 0 || peopleRemoved === 0 ? `${pluralize(peopleAdded, "person", "people")} added` : "",
    duplicates > 0 ? pluralize(duplicates, "duplicate") : "",
    rowsOptedOut > 0 ? `${formatCount(rowsOptedOut)} opted out` : "",
    rowsInvalid > 0 ? `${formatCount(rowsInvalid)} invalid` : "",
  ];
  return figures.filter(Boolean).join(", ");
}
