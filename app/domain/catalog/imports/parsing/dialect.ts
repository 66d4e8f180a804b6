import { type Dialect, type ImportField, importFields } from "../catalog-import.ts";

/**
 * The column names of each dialect. Names are compared case-insensitively, with `_` as a space. Of several columns the
 * first one with a value counts.
 */
type DialectColumns = Partial<Record<ImportField, readonly string[]>>;

const shopifyLegacy: DialectColumns = {
  name: ["title"],
  sku: ["variant sku"],
  category: ["product category", "type"],
  price: ["variant price"],
  description: ["body (html)"],
  inventory: ["variant inventory qty"],
  image: ["variant image", "image src"],
  brand: ["vendor"],
  group: ["handle"],
};

export const dialectColumns: Record<Dialect, DialectColumns> = {
  template: {
    name: ["name"],
    sku: ["sku"],
    category: ["category"],
    price: ["price"],
    description: ["description"],
    inventory: ["inventory", "inventory count"],
    image: ["image url", "image"],
    brand: ["brand"],
    group: ["group"],
  },
  "shopify-legacy": shopifyLegacy,
  "shopify-new": {
    name: ["title"],
    sku: ["sku"],
    category: ["product category", "type"],
    price: ["price"],
    description: ["description"],
    inventory: ["inventory quantity"],
    image: ["variant image url", "product image url"],
    brand: ["vendor"],
    group: ["url handle"],
  },
  woocommerce: {
    name: ["name"],
    sku: ["sku"],
    category: ["categories"],
    price: ["sale price", "regular price"],
    description: ["description", "short description"],
    inventory: ["stock"],
    image: ["images"],
    brand: ["brands"],
    group: ["parent"],
  },
  "merchant-feed": {
    name: ["title"],
    sku: ["id"],
    category: ["product type", "google product category"],
    price: ["sale price", "price"],
    description: ["description"],
    inventory: ["availability"],
    image: ["image link"],
    brand: ["brand"],
    group: ["item group id"],
  },
  other: {},
};

/** Columns that a dialect's rules read in addition to those of the fields. */
export const extraColumns: Record<Dialect, readonly string[]> = {
  template: [],
  "shopify-legacy": ["handle", "variant barcode", "variant price", "variant sku", ...options("value")],
  "shopify-new": ["url handle", "barcode", "price", "sku", ...options("value")],
  woocommerce: ["id", "type", "sku", "parent", "in stock?", "gtin, upc, ean, or isbn"],
  "merchant-feed": ["gtin"],
  other: ["barcode", "gtin", "ean", "upc"],
};

/** Columns that hold barcodes. Spreadsheets damage them in the same way as SKUs. */
export const barcodeColumns = ["variant barcode", "barcode", "gtin, upc, ean, or isbn", "gtin", "ean", "upc"];

function options(what: string): string[] {
  return [1, 2, 3].map((number) => `option${number} ${what}`);
}

/** Normalizes a column's name for comparison. */
export function columnKey(name: string): string {
  return name
    .replace(/[\ufeff\u00a0_]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** Detects by its columns which program created a file. */
export function detectDialect(header: readonly string[]): Dialect {
  const names = new Set(header.map(columnKey));
  const all = (...keys: string[]) => keys.every((key) => names.has(key));
  const some = (...keys: string[]) => keys.some((key) => names.has(key));
  if (all("handle", "title") && some("variant price", "variant sku")) return "shopify-legacy";
  if (all("url handle", "title")) return "shopify-new";
  if (all("type", "sku", "name", "regular price")) return "woocommerce";
  if (
    all("id", "title", "price") &&
    some("link", "image link", "availability", "product type", "google product category")
  )
    return "merchant-feed";
  return all("name", "sku", "category", "price") ? "template" : "other";
}

const guesses: Record<ImportField, RegExp> = {
  name: /^(product|item|article)?(name|title)$/,
  sku: /^(product|item|variant|article)?(sku|code|number|no|id)(number|code)?$|^(part|model)number$|^mpn$/,
  category: /^(product|item)?(category|categories|type|department)(name)?$/,
  price: /^(product|item|unit|retail|sale|sales|selling|list|regular)?price(usd|inusd|us)?$|^amount$/,
  description: /^(product|item|short|long|full)?description$|^(body|details)$/,
  inventory: /^(inventory|stock)(count|level|quantity|qty)?$|^(quantity|qty|onhand|available)(instock|onhand)?$/,
  image: /^(product|main|primary)?(image|picture|photo|thumbnail)(url|link|src|address)?1?$/,
  brand: /^(brand|vendor|manufacturer|make)(name)?$/,
  group: /^(item)?group(id)?$|^parent(sku|id)?$|^handle$/,
};

/** For a file of unknown origin: guesses the column of each field. */
export function guessColumns(header: readonly string[]): Partial<Record<ImportField, string>> {
  const guessed: Partial<Record<ImportField, string>> = {};
  for (const field of importFields) {
    const matchingColumn = header.find((name) => {
      const normalized = name.toLowerCase().replace(/[^a-z0-9]/g, "");
      return guesses[field].test(normalized) && !Object.values(guessed).includes(name);
    });
    if (matchingColumn !== undefined) guessed[field] = matchingColumn;
  }
  return guessed;
}
