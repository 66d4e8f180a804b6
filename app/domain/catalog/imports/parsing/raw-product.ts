import type { ListingStatus } from "#app/domain/catalog/product.ts";
import type { ImportField } from "../catalog-import.ts";

/** A field of a row and what to know about it. */
export type FieldNote = readonly [ImportField, string];

/** The fields of a product as they are in the file; an empty string means no value. */
export type RawProduct = Record<Exclude<ImportField, "inventory" | "status">, string> & {
  /** Null means that the inventory is unknown. */
  inventory: string | null;
  /** Null means that the source says nothing. */
  status: ListingStatus | null;
  /** The SKU to use when there is none and SKUs may be derived. */
  derivedSku: string;
  /** Whether the price is the reduced one, which has a column of its own. */
  isReduced?: boolean | undefined;
  /** The currency that the row states for its price, and the one of prices that state none. ISO 4217 codes. */
  currency?: string | undefined;
  usualCurrency?: string | undefined;
  /** What is added to the price, and what is taken off: an amount or a percentage. */
  surcharge?: string;
  discount?: { amount: string } | { percent: string } | undefined;
  warnings?: readonly FieldNote[];
};
