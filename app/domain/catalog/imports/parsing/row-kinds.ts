import type { DialectDefinition } from "./dialects/dialect-definition.ts";
import type { RowView } from "./row-view.ts";
import type { TableFacts } from "./table-facts.ts";

export type RowKind = "product" | "parent" | "variant" | "other";

type KnownFacts = Pick<TableFacts, "parents" | "sharedIds">;

/** Returns what a row of a file whose rows say what they are describes. */
export function rowKindOf(row: RowView, { family }: DialectDefinition, facts: KnownFacts): RowKind {
  if (family.type !== "kinds") return "product";
  // A row for a store view translates the row of the same SKU.
  if (row.text("storeView") !== "") return "other";
  const kind = row.text("kind").toLowerCase();
  if (family.others.test(kind)) return "other";
  if (family.parents.test(kind)) return "parent";
  if (family.variantsBy === "id") return kindByDetails(row, facts);
  if (family.variants.test(kind)) return "variant";
  return family.variantsBy === "list" && facts.parents.has(row.text("sku")) ? "variant" : "product";
}

/** Of rows with the same id, the one without an option, or with all values of one, describes the listing. */
function kindByDetails(row: RowView, { sharedIds }: KnownFacts): RowKind {
  if (!sharedIds.has(row.text("id"))) return "product";
  const details = row.text("options");
  return details === "" || /=[^=]*;[^=]*(?:;|$|,)/.test(details) ? "parent" : "variant";
}
