import type { ImportField } from "../catalog-import.ts";
import type { TableFacts } from "./first-pass.ts";
import type { RowView } from "./row-view.ts";
import { slugify } from "./slugify.ts";

/** The fields of a product as they are in the file; an empty string means no value. */
export type RawProduct = Record<Exclude<ImportField, "inventory">, string> & {
  /** Null means that the inventory is unknown. */
  inventory: string | null;
  /** The SKU to use when there is none and SKUs may be derived. */
  derivedSku: string;
};

/** Parses the rows of one dialect, in order. Returns undefined for a row that is not a product and needs no report. */
export type RowParser = (row: RowView) => RawProduct | undefined;

export function rowParserFor(dialect: string, facts: TableFacts): RowParser {
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

/** `availability` is a word; only "out of stock" is a count. */
function merchantRow(row: RowView): RawProduct {
  const availability = row.text("inventory").toLowerCase().replaceAll(/[_-]/g, " ");
  const isWord = /^(in stock|out of stock|preorder|pre order|backorder|back order|)$/.test(availability);
  return { ...plainRow(row), inventory: isWord ? (availability === "out of stock" ? "0" : null) : availability };
}

/**
 * A product has several consecutive rows: the first describes the product, each row is a variant, and a row with only
 * an image is none.
 */
function shopifyRows(handleColumn: string): RowParser {
  let first: (RawProduct & { handle: string }) | undefined;
  return (row) => {
    const own = plainRow(row);
    const handle = row.extra(handleColumn);
    if (own.name !== "") first = { ...own, handle };
    const options = [1, 2, 3]
      .map((number) => row.extra(`option${number} value`))
      .filter((value) => value !== "" && value !== "Default Title");
    const isVariant = own.sku !== "" || own.price !== "" || row.extra("option1 value") !== "";
    if (!isVariant && own.name === "") return undefined;
    const product = first?.handle === handle ? first : undefined;
    const name = own.name || product?.name || "";
    return {
      ...own,
      name: name && options.length > 0 ? `${name} – ${options.join(" / ")}` : name,
      category: own.category || product?.category || "",
      brand: own.brand || product?.brand || "",
      description: own.description || product?.description || "",
      image: own.image || product?.image || "",
      derivedSku: handle ? slugify([handle, ...options]) : "",
    };
  };
}

/** Grouping rows have no price and are not products themselves; a variation inherits missing fields from its parent. */
function wooCommerceRow(row: RowView, { parents }: TableFacts): RawProduct | undefined {
  const types = row
    .extra("type")
    .toLowerCase()
    .split(/\s*,\s*/);
  if (types.some((type) => /^(variable|grouped)/.test(type))) return undefined;
  const own = plainRow(row);
  const parentName = row.extra("parent");
  const parent = types.includes("variation") ? parents.get(parentName) : undefined;
  const inStock = row.extra("in stock?");
  const id = row.extra("id");
  return {
    ...own,
    name: own.name || parent?.name || "",
    category: firstItem(own.category || parent?.category || ""),
    brand: firstItem(own.brand || parent?.brand || ""),
    description: own.description || parent?.description || "",
    image: firstItem(own.image || parent?.image || ""),
    group: types.includes("variation") ? parent?.sku || parentName : "",
    inventory: own.inventory ?? (inStock === "0" ? "0" : null),
    derivedSku: id ? `wc-${id}` : "",
  };
}

/** The first item of a comma-separated list; `\,` is a comma in a name. */
function firstItem(list: string): string {
  return (list.split(/(?<!\\),/, 1)[0] ?? "").replaceAll("\\,", ",").trim();
}
