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
import { columnKey, dialectColumns, furtherColumns, guessColumns } from "./dialect.ts";

/** Where in a row each field stands, and the other columns that a dialect's rules look at. */
export type ColumnPlan = {
  dialect: Dialect;
  header: readonly string[];
  fields: ReadonlyMap<ImportField, readonly number[]>;
  further: ReadonlyMap<string, number>;
  /** All columns that are read. */
  wanted: ReadonlySet<number>;
  /** Columns that are read and have a namesake; the first one counts. */
  repeated: readonly string[];
};

/**
 * Plans how to read a table: as its dialect does, except where another column was chosen for a field. A chosen column that
 * the table does not have counts as not chosen.
 */
export function planColumns(header: readonly string[], dialect: Dialect, chosen: ChosenColumns): ColumnPlan {
  const keys = header.map(columnKey);
  const place = (key: string): number[] => (key === "" || !keys.includes(key) ? [] : [keys.indexOf(key)]);
  const guessed = dialect === "other" ? guessColumns(header) : {};
  const placesOf = (field: ImportField): number[] => {
    const choice = chosen[field];
    if (choice === null && !requiredFields.includes(field)) return [];
    const own = choice ? place(columnKey(choice)) : [];
    if (own.length > 0) return own;
    const guess = guessed[field];
    return guess ? place(columnKey(guess)) : (dialectColumns[dialect][field] ?? []).flatMap(place);
  };
  const fields = new Map(importFields.map((field) => [field, placesOf(field)]));
  const further = new Map(furtherColumns[dialect].flatMap((key) => place(key).map((index) => [key, index] as const)));
  const wanted = new Set([...[...fields.values()].flat(), ...further.values()]);
  const isRepeated = (index: number) => keys.lastIndexOf(keys[index] ?? "") > index;
  const repeated = [...wanted].filter(isRepeated).map((index) => header[index] ?? "");
  return { dialect, header, fields, further, wanted, repeated };
}

/** Required fields that no column was found for, so that no row can be a product. What may be made up is asked for row by row. */
export function missingFields({ fields, dialect }: ColumnPlan, { defaultCategory }: ImportOptions): ImportField[] {
  const isShop = canDeriveSku(dialect);
  const canBeMadeUp: Partial<Record<ImportField, boolean>> = {
    sku: isShop,
    category: isShop || (canDefaultCategory(dialect) && defaultCategory !== null),
  };
  return requiredFields.filter((field) => (fields.get(field) ?? []).length === 0 && !canBeMadeUp[field]);
}

/** The names of the columns that each field is read from. */
export function columnsRead({ fields, header }: ColumnPlan): Partial<Record<ImportField, string[]>> {
  const named = [...fields].map(([field, places]) => [field, places.map((place) => header[place] ?? "")] as const);
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}
