import type { ListingStatus } from "#app/domain/catalog/product.ts";
import { shortenText } from "#app/domain/shorten-text.ts";
import type { FieldNote } from "../raw-product.ts";
import type { RowView } from "../row-view.ts";
import type { TableFacts } from "../table-facts.ts";
import { parseListingStatus, strictestStatus } from "./listing-status.ts";

/** Reads whether the store sells the product: the strictest of all columns that say it; null when none does. */
export function readStatus(
  row: RowView,
  facts: Pick<TableFacts, "parents">,
  warnings: FieldNote[],
): ListingStatus | null {
  const statuses = row.all("status").map((text) => {
    const status = parseListingStatus(text);
    if (status === undefined)
      warnings.push([
        "status",
        `“${shortenText(text, 40)}” is not a known status. The product was imported as a draft.`,
      ]);
    return status ?? "draft";
  });
  const isArchived = parseListingStatus(row.text("archived")) === "active";
  // A part of a configurable product is sold through it.
  const isHidden = /^not visible individually$/i.test(row.text("visibility")) && !facts.parents.has(row.text("sku"));
  return strictestStatus([...statuses, isArchived ? "archived" : null, isHidden ? "draft" : null]);
}
