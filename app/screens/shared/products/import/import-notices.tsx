import { catalogCurrency, type ImportField, importFieldLabels } from "#app/domain/catalog/imports/catalog-import.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Notice } from "#app/ui/notice.tsx";
import type { LoadedImport } from "./load-import.server.ts";

/** The import's status, and what to know before continuing. */
export function ImportNotices({ shown, missing }: { shown: LoadedImport["shown"]; missing: readonly ImportField[] }) {
  const {
    status,
    commitRequested,
    error,
    warned,
    derivedSkus,
    defaultCategories,
    created,
    updated,
    unchanged,
    currencySource,
  } = shown;
  return (
    <>
      {status === "running" ? (
        <Notice title={commitRequested ? "Importing products" : "Reading the file"}>
          <p>Results appear here when it's done. You can leave this page.</p>
          <progress className="progress mt-2" aria-label={commitRequested ? "Import" : "Reading"} />
        </Notice>
      ) : null}
      {error ? (
        <Notice tone="bad" title="Nothing was imported">
          {error}
        </Notice>
      ) : null}
      {status === "succeeded" ? (
        <Notice tone="good" title="Import complete">
          {`${pluralize(created, "new product")}, ${formatCount(updated - unchanged)} updated, ${formatCount(unchanged)} unchanged.`}
        </Notice>
      ) : null}
      {missing.length > 0 ? (
        <Notice tone="warn" title="Choose columns for the missing fields">
          {`No column found for ${missing.map((field) => importFieldLabels[field]).join(", ")}. These fields are required. Choose their columns below.`}
        </Notice>
      ) : null}
      {status === "previewed" && currencySource === "assumed" && created + updated > 0 ? (
        <Notice title={`Prices are read as ${catalogCurrency}`}>
          The file does not say which currency its prices are in. If they are not in US dollars, discard this import.
        </Notice>
      ) : null}
      {derivedSkus + defaultCategories > 0 ? (
        <Notice title="Filled in automatically">
          {[
            derivedSkus > 0 && `${pluralize(derivedSkus, "SKU")} generated`,
            defaultCategories > 0 && `${pluralize(defaultCategories, "category", "categories")} filled in`,
          ]
            .filter(Boolean)
            .join(", ")}
        </Notice>
      ) : null}
      {warned > 0 ? (
        <Notice tone="warn" title={`${pluralize(warned, "warning")}`}>
          You can still import. Review the warnings below.
        </Notice>
      ) : null}
    </>
  );
}
