import type { CurrencySource } from "../catalog-import.ts";
import type { DecimalSeparator } from "./parse-price.ts";
import type { RawProduct } from "./raw-product.ts";

/** Facts that a single row does not show. */
export type TableFacts = {
  /** The decimal separator of the price columns. */
  decimalSeparator: DecimalSeparator | undefined;
  /** The products of variants, by what the variants name them with, or by the SKUs of listed variants. */
  parents: ReadonlyMap<string, RawProduct>;
  /** The positions, among the rows that are not variants, of products that variants follow. */
  parentOrdinals: ReadonlySet<number>;
  /** The ids that several rows share. */
  sharedIds: ReadonlySet<string>;
  /** The currency of prices that don't name one: that of the column's name, or the chosen one. */
  currency: string | undefined;
  currencySource: CurrencySource;
  /** What is odd about the columns, each with the column's name. */
  oddColumns: readonly { column: string; message: string }[];
};
