import type { ImportStatus } from "#app/domain/catalog/imports/catalog-import.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";

const tones: Record<ImportStatus, BadgeTone> = {
  running: "info",
  previewed: "warn",
  succeeded: "good",
  failed: "bad",
  discarded: "neutral",
};

/**
 * How an import stands: one that was committed is being taken in, another only read. A preview may have nothing to
 * import.
 */
export function ImportStatusBadge({
  status,
  commitRequested,
  products,
}: {
  status: ImportStatus;
  commitRequested: boolean;
  /** The number of products that it would add and update. */
  products: number;
}) {
  const labels: Record<ImportStatus, string> = {
    running: commitRequested ? "Importing" : "Reading",
    previewed: products > 0 ? "Ready to import" : "Nothing to import",
    succeeded: "Imported",
    failed: "Not imported",
    discarded: "Discarded",
  };
  return <Badge tone={tones[status]}>{labels[status]}</Badge>;
}
