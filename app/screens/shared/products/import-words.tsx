import type { ImportStatus } from "#app/domain/catalog/imports/catalog-import.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";

const tones: Record<ImportStatus, BadgeTone> = {
  running: "info",
  previewed: "warn",
  succeeded: "good",
  failed: "bad",
  discarded: "neutral",
};

/** How an import stands: one that was committed is being taken in, another only read. */
export function ImportStatusBadge({ status, committed }: { status: ImportStatus; committed: boolean }) {
  const words: Record<ImportStatus, string> = {
    running: committed ? "Importing" : "Reading",
    previewed: "Waiting for you",
    succeeded: "Imported",
    failed: "Not imported",
    discarded: "Discarded",
  };
  return <Badge tone={tones[status]}>{words[status]}</Badge>;
}
