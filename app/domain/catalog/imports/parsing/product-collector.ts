import { v7 } from "uuid";
import { type ListingStatus, productLimits } from "#app/domain/catalog/product.ts";
import {
  type ImportField,
  type ImportOptions,
  type ImportProblem,
  importFieldLabels,
  type ProblemKind,
} from "../catalog-import.ts";
import { checkProduct } from "./check-product.ts";
import type { DecimalSeparator } from "./parse-price.ts";
import type { RawProduct } from "./raw-product.ts";

/**
 * A product staged for the commit. Names are short because there are many rows. `i` is the product's id if it turns out
 * to be new.
 */
export type StagedRow = {
  i: string;
  r: number;
  s: string;
  n: string;
  c: string;
  p: number;
  d: string | null;
  v: number | null;
  u: string | null;
  b: string | null;
  g: string | null;
  /** The listing status; null where the file has none. */
  t: ListingStatus | null;
};

/** The counts of the rows read so far. */
export type ReadCounts = {
  rowsRead: number;
  staged: number;
  skipped: number;
  rejected: number;
  warned: number;
  derivedSkus: number;
  defaultCategories: number;
};

const zeroCounts: ReadCounts = {
  rowsRead: 0,
  staged: 0,
  skipped: 0,
  rejected: 0,
  warned: 0,
  derivedSkus: 0,
  defaultCategories: 0,
};

/** In characters. A message may quote a cell of any length. */
const maxMessageLength = 500;

type Rules = {
  options: Pick<ImportOptions, "deriveSku" | "defaultCategory" | "imageBase">;
  decimalSeparator: DecimalSeparator | undefined;
  isShopExport: boolean;
};
type RowLocation = { row: number; columnOf?: (field: ImportField) => string };
type RowProblem = Omit<ImportProblem, "kind">;

/** Collects raw products of rows or of a store, stages the valid ones and reports the problems of the others. */
export class ProductCollector {
  readonly counts: ReadCounts;
  private rows: StagedRow[] = [];
  private problems: ImportProblem[] = [];
  private readonly rules: Rules;
  private readonly skus = new Map<string, number>();

  /** `counts`: the counts of an earlier run of the same import. */
  constructor(rules: Rules, counts: ReadCounts = zeroCounts) {
    this.rules = rules;
    this.counts = { ...counts };
  }

  /** Returns the rows and problems collected since the last call. */
  drainBatch(): { rows: StagedRow[]; problems: ImportProblem[] } {
    const batch = { rows: this.rows, problems: this.problems };
    this.rows = [];
    this.problems = [];
    return batch;
  }

  skip(): void {
    this.counts.rowsRead += 1;
    this.counts.skipped += 1;
  }

  reject(...problems: RowProblem[]): void {
    this.counts.rowsRead += 1;
    this.counts.rejected += 1;
    for (const problem of problems) this.addProblem("rejected", problem);
  }

  warn(problem: RowProblem): void {
    this.counts.warned += 1;
    this.addProblem("warning", problem);
  }

  private addProblem(kind: ProblemKind, { message, ...problem }: RowProblem): void {
    this.problems.push({ kind, ...problem, message: toStorableText(message, maxMessageLength) });
  }

  /** Adds a product. Returns false when it was rejected. */
  add(raw: RawProduct, { row, columnOf = (field) => importFieldLabels[field] }: RowLocation): boolean {
    const { product, ...check } = checkProduct(raw, this.rules);
    const sku = toStorableText(product.sku, productLimits.sku) || null;
    const at = ([field, message]: readonly [ImportField, string]) => ({ row, sku, column: columnOf(field), message });
    const errors = check.errors.map(at);
    const earlier = this.skus.get(product.sku);
    if (errors.length === 0 && earlier !== undefined) {
      errors.push(at(["sku", `Duplicate SKU ${product.sku}: already used in row ${earlier}`]));
    }
    if (errors.length > 0) {
      this.reject(...errors);
      return false;
    }
    this.skus.set(product.sku, row);
    this.counts.rowsRead += 1;
    this.counts.staged += 1;
    if (check.derivedSku) this.counts.derivedSkus += 1;
    if (check.defaultCategory) this.counts.defaultCategories += 1;
    for (const warning of check.warnings) this.warn(at(warning));
    const { name, category, priceCents, description, inventory, imageUrl, brand, groupKey, listingStatus } = product;
    this.rows.push({
      i: v7(),
      r: row,
      s: product.sku,
      n: name,
      c: category,
      p: priceCents,
      d: description,
      v: inventory,
      u: imageUrl,
      b: brand,
      g: groupKey,
      t: listingStatus,
    });
    return true;
  }
}

/** Makes a text of the file safe to store: the database refuses zero bytes and halves of characters. */
function toStorableText(text: string, maxLength: number): string {
  return [...text.replace(/\p{Cc}/gu, "�").toWellFormed()].slice(0, maxLength).join("");
}
