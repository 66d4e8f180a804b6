import {
  type ChosenColumns,
  canDefaultCategory,
  canDeriveSku,
  type Dialect,
  type ImportField,
  type ImportOptions,
  importFields,
  requiredFields,
} from "../catalog-import.ts";
import { type ExtraRole, extraRoles, type Role } from "./dialects/dialect-definition.ts";
import { columnKey, dialectTable, findColumns } from "./dialects/dialect-table.ts";
import { guessColumns } from "./dialects/guess-columns.ts";

/** The column indexes of each field, and of the other columns that the rules read. */
export type ColumnPlan = {
  dialect: Dialect;
  header: readonly string[];
  columns: ReadonlyMap<Role, readonly number[]>;
  /** The fields whose column was guessed by its name: the file is of no known program and nobody chose. */
  guessed: ReadonlySet<ImportField>;
  /** The fields whose column was chosen. */
  chosen: ReadonlySet<ImportField>;
  /** The indexes of all columns that are read. */
  columnsToDecode: ReadonlySet<number>;
  /** The names of columns that are read and occur more than once; the first one counts. */
  repeated: readonly string[];
};

/** What the roles other than fields belong to: with another column for the field they don't apply. */
const belongsTo: Partial<Record<ExtraRole, ImportField>> = {
  sale: "price",
  saleFrom: "price",
  saleTo: "price",
  saleDates: "price",
  onSale: "price",
  surcharge: "price",
  discountMode: "price",
  discountAmount: "price",
  discountPercent: "price",
  variantImage: "image",
  productImage: "image",
  archived: "status",
  visibility: "status",
  inStock: "inventory",
  tracking: "inventory",
};

/**
 * Plans how to read a table: with the dialect's columns, except where another column was chosen for a field. A chosen
 * column that the table does not have is ignored.
 */
export function planColumns(header: readonly string[], dialect: Dialect, choice: ChosenColumns): ColumnPlan {
  const keys = header.map(columnKey);
  const definition = dialectTable[dialect];
  const guesses = dialect === "other" ? guessColumns(header) : {};
  const columns = new Map<Role, readonly number[]>();
  const [chosen, guessed] = [new Set<ImportField>(), new Set<ImportField>()];
  for (const field of importFields) {
    const own = choice[field];
    const isSkipped = own === null && !requiredFields.includes(field);
    const found = own ? findChosen(header, keys, own) : [];
    const guess = guesses[field];
    if (isSkipped || found.length > 0) chosen.add(field);
    else if (guess !== undefined) guessed.add(field);
    const usual = guess === undefined ? findColumns(keys, definition.columns[field] ?? []) : [header.indexOf(guess)];
    columns.set(field, isSkipped ? [] : found.length > 0 ? found : usual);
  }
  for (const role of extraRoles) {
    const field = belongsTo[role];
    if (field === undefined || !chosen.has(field)) columns.set(role, findColumns(keys, definition.columns[role] ?? []));
  }
  const columnsToDecode = new Set([...columns].filter(([role]) => role !== "mark").flatMap(([, places]) => places));
  const isRepeated = (index: number) => keys.lastIndexOf(keys[index] ?? "") > index;
  const repeated = [...columnsToDecode].filter(isRepeated).map((index) => header[index] ?? "");
  return { dialect, header, columns, guessed, chosen, columnsToDecode, repeated };
}

/** The column with exactly the chosen name, otherwise one that differs in case and signs. */
function findChosen(header: readonly string[], keys: readonly string[], name: string): number[] {
  const exact = header.indexOf(name);
  if (name === "") return [];
  return exact >= 0 ? [exact] : findColumns(keys, [columnKey(name)].filter(Boolean));
}

/**
 * Returns the required fields without a column, so that no row can be a product. Fields whose values may be generated
 * are checked row by row instead.
 */
export function missingFields({ columns, dialect }: ColumnPlan, { defaultCategory }: ImportOptions): ImportField[] {
  const canBeGenerated: Partial<Record<ImportField, boolean>> = {
    sku: canDeriveSku(dialect),
    category:
      dialect !== "other" && dialect !== "template" ? true : canDefaultCategory(dialect) && defaultCategory !== null,
  };
  return requiredFields.filter((field) => (columns.get(field) ?? []).length === 0 && !canBeGenerated[field]);
}

/**
 * Returns the names of the columns that each field is read from. The group of a variant is the product that it names.
 */
export function mappedColumnNames({ columns, header, chosen }: ColumnPlan): Partial<Record<ImportField, string[]>> {
  const named = importFields.map((field) => {
    const extra = extraRoles.filter((role) => (role === "sale" || role === "archived") && belongsTo[role] === field);
    const own = [...extra, field].flatMap((role) => columns.get(role) ?? []);
    const isGroupOfVariants = field === "group" && own.length === 0 && !chosen.has(field);
    const places = isGroupOfVariants ? (columns.get("parent") ?? []) : own;
    return [field, places.map((place) => header[place] ?? "")] as const;
  });
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}
