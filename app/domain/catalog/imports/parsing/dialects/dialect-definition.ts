import type { ImportField } from "../../catalog-import.ts";

/** The meanings of columns that the rules read in addition to those of the fields. */
export const extraRoles = [
  /** The reduced price, and when it applies: two dates, or both in one cell with a slash between them. */
  "sale",
  "saleFrom",
  "saleTo",
  "saleDates",
  /** Whether the reduced price applies. */
  "onSale",
  /** What a variant costs more than its product. */
  "surcharge",
  /** A reduction of the price: an amount or a percentage. */
  "discountMode",
  "discountAmount",
  "discountPercent",
  /** The code of the currency of the row's prices. */
  "currency",
  /** What the row describes: a product, a variant of one, or something else. */
  "kind",
  /** How a variant names its product, how a product names itself, and the list of variants of a product. */
  "parent",
  "id",
  "variants",
  /** The values that distinguish a variant. */
  "options",
  /** The variant's own image, and an image of the product that need not show the variant of its row. */
  "variantImage",
  "productImage",
  /** Whether the product is in stock, and whether its stock is counted. */
  "inStock",
  "tracking",
  /** Whether the product is archived, and where the store shows it. */
  "archived",
  "visibility",
  /** Set in rows that translate another row. */
  "storeView",
  "barcode",
  /** Columns that only show which program wrote the file. */
  "mark",
] as const;
export type ExtraRole = (typeof extraRoles)[number];
export type Role = ImportField | ExtraRole;

/** How the rows of one product are related. */
type RowFamily =
  /** Every row is a product. */
  | { type: "none" }
  /** The first row describes the product and its first variant; the rows that follow are further variants. */
  | { type: "consecutive"; blankIdContinues?: boolean }
  /** Rows say what they are. A variant names its product, follows it, is listed by it, or shares its id. */
  | {
      type: "kinds";
      parents: RegExp;
      variants: RegExp;
      /** Rows that are neither products nor variants. */
      others: RegExp;
      variantsBy: "parent" | "order" | "list" | "id";
    };

/** What distinguishes the files of one program. All names are facts of the program's export. */
export type DialectDefinition = {
  /**
   * The names of each role's columns in the languages that the program writes, as `columnKey` normalizes them. Of
   * several columns, the first with a value counts. A name that ends with … is the beginning of a name.
   */
  columns: Partial<Record<Role, readonly string[]>>;
  /** Roles that a file of this program always has columns for. */
  signature: readonly Role[];
  family: RowFamily;
  /** The separators of a list of categories, and of the levels of one. */
  categories?: { list?: string; level?: string; pick?: "deepest"; root?: string };
  /** The separator of a list of images, and the URL that their file names are relative to. */
  images?: { list?: RegExp; base?: string };
  /** A variant's name is its product's name and the values of its options. */
  namesByOptions?: boolean;
  /** Option values that mean that a product has no variants. */
  noOption?: readonly string[];
  /** How a SKU is derived from other columns: from the id with a prefix, or from the handle or name and the options. */
  derivedSku?: { prefix: string } | "handle" | "name";
  /** A sale price of zero means that there is none. */
  zeroSaleIsNone?: boolean;
  /** A cell may list the SKUs of several variations, separated by commas. */
  listsSkus?: boolean;
  /** A cell lists several brands, separated by commas, as paths with " > "; the name of the first one counts. */
  listsBrands?: boolean;
  /** The inventory is a number: words such as "in stock" are not accepted. */
  countsOnly?: boolean;
  /**
   * The program puts an apostrophe before text that a spreadsheet would run as a formula, and drops it when it imports.
   */
  escapesFormulas?: boolean;
  /** The tracking column names who counts the inventory: in an empty cell nobody does. */
  namesTracker?: boolean;
  /** What the inventory of a variant says when its product's is meant. */
  sharedInventory?: string;
  /** The inventory is the sum of several columns, one for each location. */
  sumsInventory?: boolean;
};
