import { type ImportField, importFieldLabels } from "#app/domain/catalog/imports/catalog-import.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Notice } from "#app/ui/notice.tsx";
import type { LoadedImport } from "./load-import.server.ts";

/** What an import is at, and what one should know before one goes on. */
export function ImportNotices({ shown, missing }: { shown: LoadedImport["shown"]; missing: readonly ImportField[] }) {
  const { status, committed, error, warned, derivedSkus, defaultCategories, created, updated, unchanged } = shown;
  return (
    <>
      {status === "running" ? (
        <Notice title={committed ? "The products are being imported" : "The file is being read"}>
          <p>This page shows the result as soon as it is done. You can leave it.</p>
          <progress className="progress mt-2" aria-label={committed ? "Import" : "Reading"} />
        </Notice>
      ) : null}
      {error ? (
        <Notice tone="bad" title="Nothing was imported">
          {error}
        </Notice>
      ) : null}
      {status === "succeeded" ? (
        <Notice tone="good" title="The import is done">
          {`${formatNumberOf(created, "new product")}, ${formatCount(updated - unchanged)} changed, ${formatCount(unchanged)} as they were.`}
        </Notice>
      ) : null}
      {missing.length > 0 ? (
        <Notice tone="warn" title="Choose the columns that are missing">
          {`No column was found for ${missing.map((field) => importFieldLabels[field]).join(", ")}. Every row needs them.`}
        </Notice>
      ) : null}
      {derivedSkus + defaultCategories > 0 ? (
        <Notice title="Made up, as you asked">
          {`${formatNumberOf(derivedSkus, "SKU")} derived, ${formatNumberOf(defaultCategories, "category", "categories")} filled in.`}
        </Notice>
      ) : null}
      {warned > 0 ? (
        <Notice tone="warn" title={`${formatNumberOf(warned, "warning")}`}>
          Nothing that stops the import, but look at them below.
        </Notice>
      ) : null}
    </>
  );
}
