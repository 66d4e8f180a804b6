import type { ImportField } from "../catalog-import.ts";
import type { RowView } from "./row-view.ts";
import { slugOf } from "./slug.ts";
import type { TableFacts } from "./survey.ts";

/** What a row says of a product, as it stands in the file; empty is nothing. */
export type RawProduct = Record<Exclude<ImportField, "inventory">, string> & {
  /** Null: the file says that nobody knows. */
  inventory: string | null;
  /** What a SKU could be made of when there is none. */
  derivedSku: string;
};

/** Reads the rows of one dialect, in their order. Undefined is a row that is no product and needs no words. */
export type ReadRow = (row: RowView) => RawProduct | undefined;

export function rowReaderOf(dialect: string, facts: TableFacts): ReadRow {
  if (dialect === "shopify-new") return shopifyRows("url handle");
  if (dialect === "shopify-legacy") return shopifyRows("handle");
  if (dialect === "woocommerce") return (row) => wooCommerceRow(row, facts);
  return dialect === "merchant-feed" ? merchantRow : plainRow;
}

function plainRow(row: RowView): RawProduct {
  return {
    name: row.text("name"),
    sku: row.text("sku"),
    category: row.text("category"),
    price: row.text("price"),
    description: row.text("description"),
    inventory: row.text("inventory") || null,
    image: row.text("image"),
    brand: row.text("brand"),
    group: row.text("group"),
    derivedSku: "",
  };
}

/** `availability` is a word: only "out of stock" is a count. */
function merchantRow(row: RowView): RawProduct {
  const said = row.text("inventory").toLowerCase().replaceAll(/[_-]/g, " ");
  const isWord = /^(in stock|out of stock|preorder|pre order|backorder|back order|)$/.test(said);
  return { ...plainRow(row), inventory: isWord ? (said === "out of stock" ? "0" : null) : said };
}

/**
 * A product is several rows: the first says what it is, each is a variant, and one with only a picture is none. The rows
 * of a product follow one another.
 */
function shopifyRows(handleColumn: string): ReadRow {
  let first: (RawProduct & { handle: string }) | undefined;
  return (row) => {
    const own = plainRow(row);
    const handle = row.further(handleColumn);
    if (own.name !== "") first = { ...own, handle };
    const options = [1, 2, 3]
      .map((number) => row.further(`option${number} value`))
      .filter((value) => value !== "" && value !== "Default Title");
    const isVariant = own.sku !== "" || own.price !== "" || row.further("option1 value") !== "";
    if (!isVariant && own.name === "") return undefined;
    const of = first?.handle === handle ? first : undefined;
    const name = own.name || of?.name || "";
    return {
      ...own,
      name: name && options.length > 0 ? `${name} – ${options.join(" / ")}` : name,
      category: own.category || of?.category || "",
      brand: own.brand || of?.brand || "",
      description: own.description || of?.description || "",
      image: own.image || of?.image || "",
      derivedSku: handle ? slugOf([handle, ...options]) : "",
    };
  };
}

/** What groups others has no price and is no product itself; a variation says the less the more its parent does. */
function wooCommerceRow(row: RowView, { parents }: TableFacts): RawProduct | undefined {
  const types = row
    .further("type")
    .toLowerCase()
    .split(/\s*,\s*/);
  if (types.some((type) => /^(variable|grouped)/.test(type))) return undefined;
  const own = plainRow(row);
  const parentName = row.further("parent");
  const parent = types.includes("variation") ? parents.get(parentName) : undefined;
  const inStock = row.further("in stock?");
  const id = row.further("id");
  return {
    ...own,
    name: own.name || parent?.name || "",
    category: firstOf(own.category || parent?.category || ""),
    brand: firstOf(own.brand || parent?.brand || ""),
    description: own.description || parent?.description || "",
    image: firstOf(own.image || parent?.image || ""),
    group: types.includes("variation") ? parent?.sku || parentName : "",
    inventory: own.inventory ?? (inStock === "0" ? "0" : null),
    derivedSku: id ? `wc-${id}` : "",
  };
}

/** Of a list parted by commas; `\,` is a comma in a name. */
function firstOf(list: string): string {
  return (list.split(/(?<!\\),/, 1)[0] ?? "").replaceAll("\\,", ",").trim();
}
