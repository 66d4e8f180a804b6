import { shortenText } from "#app/domain/shorten-text.ts";
import type { Dialect } from "../catalog-import.ts";
import type { DialectDefinition } from "./dialects/dialect-definition.ts";
import { dialectTable } from "./dialects/dialect-table.ts";
import type { FieldNote, RawProduct } from "./raw-product.ts";
import { rowKindOf } from "./row-kinds.ts";
import type { RowView } from "./row-view.ts";
import { slugify } from "./slugify.ts";
import type { TableFacts } from "./table-facts.ts";
import { strictestStatus } from "./values/listing-status.ts";
import { optionsOf } from "./values/read-options.ts";
import { readProduct } from "./values/read-product.ts";

/** A row that is not a product. The warning says what of it is lost. */
type SkippedRow = { skipped: true; warning?: FieldNote };

/** Parses the rows of one dialect, in order. */
export type RowParser = (row: RowView) => RawProduct | SkippedRow;

const skipped: SkippedRow = { skipped: true };

/** Returns the parser of a dialect's rows. `now`: when sale prices must apply. */
export function rowParserFor(dialect: Dialect, facts: TableFacts, now: Date): RowParser {
  const definition = dialectTable[dialect];
  const readRow = (row: RowView) => readProduct(row, { definition, facts, now });
  const { family } = definition;
  if (family.type === "consecutive") return consecutiveRows(definition, readRow, family.blankIdContinues ?? false);
  if (family.type === "kinds") return rowsByKind(definition, { facts, readRow });
  return (row) => {
    const own = readRow(row);
    return named(own, own.name, definition, optionsOf(row, definition));
  };
}

type ReadRow = (row: RowView) => RawProduct;

/**
 * A product has several consecutive rows: the first describes the product, each row is a variant, and a row with only
 * an image is none.
 */
function consecutiveRows(definition: DialectDefinition, readRow: ReadRow, blankIdContinues: boolean): RowParser {
  let first: (RawProduct & { id: string }) | undefined;
  return (row) => {
    const own = withVariantImage(readRow(row), row);
    const id = row.text("id");
    const productImage = row.text("productImage");
    if (own.name !== "") first = { ...own, id, image: productImage || own.image };
    const product = first?.id === id || (blankIdContinues && id === "") ? first : undefined;
    if (product) product.image ||= productImage;
    const isVariant = own.sku !== "" || own.price !== "" || row.all("options").length > 0;
    if (!isVariant && own.name === "") return skipped;
    // A variant's price is its own.
    return named(
      inherit(own, product && { ...product, price: "" }),
      own.name || product?.name || "",
      definition,
      optionsOf(row, definition),
    );
  };
}

/** The product's images are listed in the rows of its variants, one a row, whichever variants they show. */
function withVariantImage(own: RawProduct, row: RowView): RawProduct {
  return row.has("productImage") ? { ...own, image: row.text("variantImage") } : own;
}

/** Rows say what they are: parents are no products themselves, and variants inherit what they don't say. */
function rowsByKind(
  definition: DialectDefinition,
  { facts, readRow }: { facts: TableFacts; readRow: ReadRow },
): RowParser {
  let last: RawProduct | undefined;
  let ordinal = -1;
  return (row) => {
    const kind = rowKindOf(row, definition, facts);
    if (kind === "other") return skipOther(row);
    const own = readRow(row);
    if (kind !== "variant") {
      ordinal += 1;
      last = own;
      if (kind === "parent" || facts.parentOrdinals.has(ordinal)) return skipped;
      return named(own, own.name, definition, []);
    }
    const { family } = definition;
    const parentKey = row.text("parent");
    const listed = family.type === "kinds" && family.variantsBy === "list" ? row.text("sku") : parentKey;
    const isInOrder = family.type === "kinds" && family.variantsBy === "order";
    const parent = isInOrder ? last : facts.parents.get(listed);
    const isShared = own.inventory === definition.sharedInventory;
    const inventory = isShared ? (parent?.inventory ?? null) : own.inventory;
    const group = own.group || parent?.group || parent?.sku || parentKey;
    const variant = inherit({ ...own, inventory, group }, parent);
    if (!definition.namesByOptions) return variant;
    const name = isInOrder ? parent?.name || "" : own.name;
    return named(variant, name, definition, optionsOf(row, definition));
  };
}

function skipOther(row: RowView): SkippedRow {
  if (row.text("storeView") !== "" || row.text("price") === "") return skipped;
  return {
    skipped: true,
    warning: [
      "price",
      `This price rule is not imported: ${shortenText(row.text("price"), 60)}. Check the variant's price.`,
    ],
  };
}

/** What a variant does not say is what its product says; the stricter status of both applies. */
function inherit(own: RawProduct, parent: RawProduct | undefined): RawProduct {
  if (!parent) return own;
  return {
    ...own,
    name: own.name || parent.name,
    category: own.category || parent.category,
    price: own.price || parent.price,
    isReduced: own.price ? own.isReduced : parent.isReduced,
    currency: own.currency ?? parent.currency,
    discount: own.discount ?? parent.discount,
    brand: own.brand || parent.brand,
    description: own.description || parent.description,
    image: own.image || parent.image,
    group: own.group || parent.group,
    status: strictestStatus([own.status, parent.status]),
  };
}

/** Names a variant by its options, and derives the SKU of a product that has none. */
function named(own: RawProduct, name: string, definition: DialectDefinition, options: readonly string[]): RawProduct {
  const { derivedSku, namesByOptions } = definition;
  const handle = derivedSku === "handle" ? own.group : derivedSku === "name" ? name : "";
  return {
    ...own,
    name: name && namesByOptions && options.length > 0 ? `${name} – ${options.join(" / ")}` : name,
    derivedSku: handle ? slugify([handle, ...options]).slice(0, 100) : own.derivedSku,
  };
}
