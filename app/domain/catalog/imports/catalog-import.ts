import { type EncodingSource, type TextEncoding, textEncodings } from "#app/sheets/text/encodings.ts";
import { appName } from "../../branding.ts";

/** Enumerations, labels and limits of catalog imports. Pure. */
export const importStatuses = ["running", "previewed", "succeeded", "failed", "discarded"] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** The program that created a file, detected by its columns. */
export const dialects = ["template", "shopify-new", "shopify-legacy", "woocommerce", "merchant-feed", "other"] as const;
export type Dialect = (typeof dialects)[number];
export const dialectLabels: Record<Dialect, string> = {
  template: `${appName} template`,
  "shopify-new": "Shopify export",
  "shopify-legacy": "Shopify export (older)",
  woocommerce: "WooCommerce export",
  "merchant-feed": "Merchant feed",
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

/** Values that may be generated for rows of a recognized store export that lack them. Off by default. */
export type ImportOptions = { deriveSku: boolean; defaultCategory: string | null };

/** The choices of a person for one file; a null encoding is detected. */
export type ImportSettings = ImportOptions & { chosenEncoding: TextEncoding | null };

/** Our own template is strict; a SKU can be derived only from other columns of a store export. */
export function canDeriveSku(dialect: Dialect | null): boolean {
  return dialect === "shopify-new" || dialect === "shopify-legacy" || dialect === "woocommerce";
}
export function canDefaultCategory(dialect: Dialect | null): boolean {
  return dialect !== "template";
}

/** A problem of a row. A rejected row is not imported; a warning is for the user's attention. */
export const problemKinds = ["rejected", "warning"] as const;
export type ProblemKind = (typeof problemKinds)[number];
export type ImportProblem = { kind: ProblemKind; row: number; sku: string | null; column: string; message: string };

/** Limits of a file, and the maximum number of its problems that are stored. */
export const importLimits = {
  bytes: 50 * 1024 * 1024,
  rows: 250_000,
  columns: 1_000,
  problems: 20_000,
} as const;

/**
 * Limits of the import form. It accepts one more file than needed, so that a second one can be rejected with a message.
 */
export const importFormLimits = { fileBytes: importLimits.bytes, files: 2, fields: 100 } as const;
