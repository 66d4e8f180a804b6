import type { Dialect } from "../../catalog-import.ts";
import type { DialectDefinition, Role } from "./dialect-definition.ts";
import {
  bigCommerce,
  bigCommerceLegacy,
  shopifyLegacy,
  shopifyNew,
  square,
  squarespace,
  wix,
} from "./hosted-store-dialects.ts";
import { amazonFlatFile, amazonReport, ebayReport, ebayTemplate, etsy, merchantFeed } from "./marketplace-dialects.ts";
import { magento, prestaShop, wooCommerce } from "./self-hosted-store-dialects.ts";

/** The usual names of the column with the code of a row's currency, in the languages of guessed columns. */
const currencyColumns = ["currency", "currency code", "currencycode", "price currency"].concat([
  "währung",
  "devise",
  "moneda",
  "divisa",
  "valuta",
  "moeda",
  "waluta",
  "валюта",
  "通貨",
]);

/** Our own template, which is also the format of our export. */
const template: DialectDefinition = {
  columns: {
    name: ["name"],
    sku: ["sku"],
    category: ["category"],
    price: ["price"],
    description: ["description"],
    inventory: ["inventory", "inventory count"],
    image: ["image url", "image"],
    brand: ["brand"],
    group: ["group"],
    status: ["status"],
    currency: currencyColumns,
  },
  signature: ["name", "sku", "category", "price"],
  family: { type: "none" },
  countsOnly: true,
  escapesFormulas: true,
};

/** A table of unknown origin: its columns are guessed. */
const other: DialectDefinition = {
  columns: { barcode: ["barcode", "gtin", "ean", "upc"], currency: currencyColumns },
  signature: [],
  family: { type: "none" },
};

export const dialectTable: Record<Dialect, DialectDefinition> = {
  "shopify-legacy": shopifyLegacy,
  "shopify-new": shopifyNew,
  wix,
  squarespace,
  magento,
  "bigcommerce-legacy": bigCommerceLegacy,
  bigcommerce: bigCommerce,
  square,
  "amazon-flat-file": amazonFlatFile,
  "amazon-report": amazonReport,
  "ebay-template": ebayTemplate,
  "ebay-report": ebayReport,
  etsy,
  woocommerce: wooCommerce,
  "merchant-feed": merchantFeed,
  prestashop: prestaShop,
  template,
  other,
};

/** The order in which signatures are compared: those that share names with others come later. */
const detectionOrder = [
  "shopify-legacy",
  "shopify-new",
  "wix",
  "squarespace",
  "magento",
  "bigcommerce-legacy",
  "bigcommerce",
  "square",
  "amazon-flat-file",
  "amazon-report",
  "ebay-template",
  "ebay-report",
  "etsy",
  "woocommerce",
  "merchant-feed",
  "prestashop",
  "template",
] as const satisfies readonly Dialect[];

/**
 * Normalizes a column's name for comparison: case, spaces, quotes and the marks of required columns don't count, nor
 * do the qualifiers of Amazon's and eBay's names, such as [language_tag=en_US] and (SiteID=US|Currency=USD).
 */
export function columnKey(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\[[^\]]*=[^\]]*\]|\(SiteID=.*$/gi, "")
    .replace(/[\ufeff\u00a0\u202f_*]/g, " ")
    .replace(/[’`]/g, "'")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/^g:/, "");
}

/** Returns the indexes of the columns with one of the names, in the order of the names; of equal names the first. */
export function findColumns(keys: readonly string[], names: readonly string[]): number[] {
  const found = names.flatMap((name) => {
    if (name.endsWith("…")) {
      const start = name.slice(0, -1);
      return keys.flatMap((key, index) => (key.startsWith(start) ? [index] : []));
    }
    const index = keys.indexOf(name);
    return index < 0 ? [] : [index];
  });
  return [...new Set(found)];
}

/** Detects by its columns which program created a file. */
export function detectDialect(header: readonly string[]): Dialect {
  const keys = header.map(columnKey);
  const has = (dialect: Dialect, role: Role) => findColumns(keys, dialectTable[dialect].columns[role] ?? []).length > 0;
  return (
    detectionOrder.find((dialect) => dialectTable[dialect].signature.every((role) => has(dialect, role))) ?? "other"
  );
}
