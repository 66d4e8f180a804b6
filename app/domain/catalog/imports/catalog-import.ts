/** The vocabulary of catalogue imports. Pure. */
export const importStatuses = ["running", "previewed", "succeeded", "failed", "discarded"] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** What a file was made by, told by its columns. */
export const dialects = ["template", "shopify-new", "shopify-legacy", "woocommerce", "merchant-feed", "other"] as const;
export type Dialect = (typeof dialects)[number];
export const dialectLabels: Record<Dialect, string> = {
  template: "Our template",
  "shopify-new": "Shopify export",
  "shopify-legacy": "Shopify export (older)",
  woocommerce: "WooCommerce export",
  "merchant-feed": "Merchant feed",
  other: "Another table",
};

/** What a row can say of a product, in the order that people are asked for it; the first four are required. */
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

/** Which column each field is read from; a field that is absent is read as the dialect does, one that is null not at all. */
export type ChosenColumns = Partial<Record<ImportField, string | null>>;

/** What may be made up for rows of a recognised shop export that lack it. Off unless asked for. */
export type ImportOptions = { deriveSku: boolean; defaultCategory: string | null };

/** Our own template is strict; a SKU can be made only from what a shop's export says beside it. */
export function canDeriveSku(dialect: Dialect | null): boolean {
  return dialect === "shopify-new" || dialect === "shopify-legacy" || dialect === "woocommerce";
}
export function canDefaultCategory(dialect: Dialect | null): boolean {
  return dialect !== "template";
}

/** What is wrong with a row, or odd about it. A rejected row is not imported; a warning is for people to look at. */
export const problemKinds = ["rejected", "warning"] as const;
export type ProblemKind = (typeof problemKinds)[number];
export type ImportProblem = { kind: ProblemKind; row: number; sku: string | null; column: string; message: string };

/** What a file may have, and how many of its problems are kept. */
export const importLimits = {
  bytes: 50 * 1024 * 1024,
  rows: 250_000,
  columns: 1_000,
  problems: 20_000,
} as const;

/** The form of an import. One file more than is taken, so that it can be refused in words. */
export const importForm = { fileBytes: importLimits.bytes, files: 2, fields: 100 } as const;
