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
import { columnKey, dialectColumns, extraColumns, guessColumns } from "./dialect.ts";

/** The column indexes of each field, and of the other columns that a dialect's rules read. */
export type ColumnPlan = {
  dialect: Dialect;
  header: readonly string[];
  fields: ReadonlyMap<ImportField, readonly number[]>;
  extra: ReadonlyMap<string, number>;
  /** The indexes of all columns that are read. */
  columnsToDecode: ReadonlySet<number>;
  /** The names of columns that are read and occur more than once; the first one counts. */
  repeated: readonly string[];
};

/**
 * Plans how to read a table: with the dialect's columns, except where another column was chosen for a field. A chosen
 * column that the table does not have is ignored.
 */
export function planColumns(header: readonly string[], dialect: Dialect, chosen: ChosenColumns): ColumnPlan {
  const keys = header.map(columnKey);
  const findColumn = (key: string): number[] => (key === "" || !keys.includes(key) ? [] : [keys.indexOf(key)]);
  const guessed = dialect === "other" ? guessColumns(header) : {};
  const columnsForField = (field: ImportField): number[] => {
    const choice = chosen[field];
    if (choice === null && !requiredFields.includes(field)) return [];
    const own = choice ? findColumn(columnKey(choice)) : [];
    if (own.length > 0) return own;
    const guess = guessed[field];
    return guess ? findColumn(columnKey(guess)) : (dialectColumns[dialect][field] ?? []).flatMap(findColumn);
  };
  const fields = new Map(importFields.map((field) => [field, columnsForField(field)]));
  const extra = new Map(extraColumns[dialect].flatMap((key) => findColumn(key).map((index) => [key, index] as const)));
  const columnsToDecode = new Set([...[...fields.values()].flat(), ...extra.values()]);
  const isRepeated = (index: number) => keys.lastIndexOf(keys[index] ?? "") > index;
  const repeated = [...columnsToDecode].filter(isRepeated).map((index) => header[index] ?? "");
  return { dialect, header, fields, extra, columnsToDecode, repeated };
}

/**
 * Returns the required fields without a column, so that no row can be a product. Fields whose values may be generated
 * are checked row by row instead.
 */
export function missingFields({ fields, dialect }: ColumnPlan, { defaultCategory }: ImportOptions): ImportField[] {
  const isShop = canDeriveSku(dialect);
  const canBeGenerated: Partial<Record<ImportField, boolean>> = {
    sku: isShop,
    category: isShop || (canDefaultCategory(dialect) && defaultCategory !== null),
  };
  return requiredFields.filter((field) => (fields.get(field) ?? []).length === 0 && !canBeGenerated[field]);
}

/** Returns the names of the columns that each field is read from. */
export function mappedColumnNames({ fields, header }: ColumnPlan): Partial<Record<ImportField, string[]>> {
  const named = [...fields].map(([field, places]) => [field, places.map((place) => header[place] ?? "")] as const);
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}
