import { type EncodingSource, type TextEncoding, textEncodings } from "#app/sheets/text/encodings.ts";
import { appName } from "../../branding.ts";

/** Enumerations, labels and limits of catalog imports. Pure. */
export const importStatuses = ["running", "previewed", "succeeded", "failed", "discarded"] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** The program that created a file, detected by its columns. */
export const dialects = [
  "template",
  "shopify-new",
  "shopify-legacy",
  "woocommerce",
  "magento",
  "bigcommerce",
  "bigcommerce-legacy",
  "prestashop",
  "square",
  "squarespace",
  "wix",
  "etsy",
  "amazon-flat-file",
  "amazon-report",
  "ebay-report",
  "ebay-template",
  "merchant-feed",
  "other",
] as const;
export type Dialect = (typeof dialects)[number];
export const dialectLabels: Record<Dialect, string> = {
  template: `${appName} template`,
  "shopify-new": "Shopify export",
  "shopify-legacy": "Shopify export (older)",
  woocommerce: "WooCommerce export",
  magento: "Magento export",
  bigcommerce: "BigCommerce export",
  "bigcommerce-legacy": "BigCommerce export (older)",
  prestashop: "PrestaShop export",
  square: "Square export",
  squarespace: "Squarespace export",
  wix: "Wix export",
  etsy: "Etsy export",
  "amazon-flat-file": "Amazon inventory file",
  "amazon-report": "Amazon listing report",
  "ebay-report": "eBay active listings",
  "ebay-template": "eBay listing template",
  "merchant-feed": "Google or Meta product feed",
  other: "Other file",
};

/** The fields of a product row, in the order of the form; the first four are required. */
export const importFields = [
  "name",
  "sku",
  "category",
  "price",
  "description",
  "inventory",
  "image",
  "brand",
  "group",
  "status",
] as const;
export type ImportField = (typeof importFields)[number];
export const requiredFields: readonly ImportField[] = importFields.slice(0, 4);
export const importFieldLabels: Record<ImportField, string> = {
  name: "Product name",
  sku: "SKU",
  category: "Category",
  price: "Price",
  description: "Description",
  inventory: "Inventory count",
  image: "Image URL",
  brand: "Brand",
  group: "Group",
  status: "Status",
};

/** The column that each field is read from. An absent field uses the dialect's column; a null field is not read. */
export type ChosenColumns = Partial<Record<ImportField, string | null>>;

export { type TextEncoding, textEncodings };

/** The encoding in which a text file was read, and its first values beyond ASCII as each encoding would read them. */
export type ImportEncoding = {
  encoding: TextEncoding;
  source: EncodingSource;
  samples: Partial<Record<TextEncoding, string>>;
};

/**
 * Values that may be generated for rows of a recognized store export that lack them, the currency of prices that don't
 * name one (an ISO 4217 code), and the URL that file names of images are relative to. Null where nobody chose one.
 */
export type ImportOptions = {
  deriveSku: boolean;
  defaultCategory: string | null;
  currency: string | null;
  imageBase: string | null;
};

/** The choices of a person for one file; a null encoding or header row is detected. */
export type ImportSettings = ImportOptions & { chosenEncoding: TextEncoding | null; chosenHeaderRow: number | null };

/** Without any choice. */
export const defaultImportSettings: ImportSettings = {
  deriveSku: false,
  defaultCategory: null,
  currency: null,
  imageBase: null,
  chosenEncoding: null,
  chosenHeaderRow: null,
};

/** Prices are stored in this currency and never converted. */
export const catalogCurrency = "USD";

/** The other currencies that the form offers, to have prices in them refused instead of misread. */
export const importCurrencies = (
  "AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PEN PHP PLN RON " +
  "RUB SAR SEK SGD THB TRY TWD UAH VND ZAR"
).split(" ");

/** How the currency of a file's prices is known; `assumed`: the file does not name it and nobody chose it. */
export const currencySources = ["file", "chosen", "assumed"] as const;
export type CurrencySource = (typeof currencySources)[number];

/** What a SKU can be derived from; our own template is strict. Null: a SKU can't be derived. */
const skuSources: Partial<Record<Dialect, string>> = {
  "shopify-new": "Based on the handle and options, such as mug-blue",
  "shopify-legacy": "Based on the handle and options, such as mug-blue",
  woocommerce: "Based on the product ID, such as wc-743",
  bigcommerce: "Based on the product ID, such as bc-743",
  "bigcommerce-legacy": "Based on the product ID, such as bc-743",
  prestashop: "Based on the product ID, such as ps-743",
  square: "Based on the item's token",
  squarespace: "Based on the product URL and options, such as mug-blue",
  wix: "Based on the handle and options, such as mug-blue",
  etsy: "Based on the title, such as enamel-mug-blue",
  "ebay-report": "Based on the item number, such as ebay-1234567890",
};
export function canDeriveSku(dialect: Dialect | null): boolean {
  return describeDerivedSku(dialect) !== null;
}
export function describeDerivedSku(dialect: Dialect | null): string | null {
  return (dialect && skuSources[dialect]) ?? null;
}
export function canDefaultCategory(dialect: Dialect | null): boolean {
  return dialect !== "template";
}

/** A problem of a row. A rejected row is not imported; a warning is for the user's attention. */
export const problemKinds = ["rejected", "warning"] as const;
export type ProblemKind = (typeof problemKinds)[number];
export type ImportProblem = { kind: ProblemKind; row: number; sku: string | null; column: string; message: string };

/**
 * Limits of a file, the maximum number of its problems that are stored, for how many days, and the number of files of
 * an account that are being read or wait in preview.
 */
export const importLimits = {
  bytes: 50 * 1024 * 1024,
  rows: 250_000,
  columns: 1_000,
  problems: 20_000,
  problemDays: 90,
  open: 20,
} as const;

/** The message for a file that is one too many. */
export const tooManyOpenImports = `${importLimits.open} files are being read or wait in preview. Import or discard one of them first.`;

/**
 * Limits of the import form. It accepts one more file than needed, so that a second one can be rejected with a message.
 */
export const importFormLimits = { fileBytes: importLimits.bytes, files: 2, fields: 100 } as const;
