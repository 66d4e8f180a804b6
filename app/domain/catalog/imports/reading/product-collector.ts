import { v7 } from "uuid";
import { type ImportField, type ImportOptions, type ImportProblem, importFieldLabels } from "../catalog-import.ts";
import { checkProduct } from "./check-product.ts";
import type { RawProduct } from "./dialect-rows.ts";
import type { PriceStyle } from "./read-price.ts";

/** A product as it waits for the commit; short names, because there are many. `i` is its id if it turns out to be new. */
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
};

/** What was seen so far. */
export type ReadCounts = {
  rowsRead: number;
  staged: number;
  skipped: number;
  rejected: number;
  warned: number;
  derivedSkus: number;
  defaultCategories: number;
};

const nothingRead: ReadCounts = {
  rowsRead: 0,
  staged: 0,
  skipped: 0,
  rejected: 0,
  warned: 0,
  derivedSkus: 0,
  defaultCategories: 0,
};

type Rules = { options: ImportOptions; priceStyle: PriceStyle | undefined; isShopExport: boolean };
type Place = { row: number; columnOf?: (field: ImportField) => string };
type Told = Omit<ImportProblem, "kind">;

/** Takes what rows or a shop say of products, keeps what can be one, and says of the rest why not. */
export class ProductCollector {
  readonly counts: ReadCounts;
  private rows: StagedRow[] = [];
  private problems: ImportProblem[] = [];
  private readonly rules: Rules;
  private readonly skus = new Map<string, number>();

  /** `counts`: those of an earlier part of the same reading. */
  constructor(rules: Rules, counts: ReadCounts = nothingRead) {
    this.rules = rules;
    this.counts = { ...counts };
  }

  /** What came together since it was asked last. */
  takeBatch(): { rows: StagedRow[]; problems: ImportProblem[] } {
    const batch = { rows: this.rows, problems: this.problems };
    this.rows = [];
    this.problems = [];
    return batch;
  }

  skip(): void {
    this.counts.rowsRead += 1;
    this.counts.skipped += 1;
  }

  reject(...problems: Told[]): void {
    this.counts.rowsRead += 1;
    this.counts.rejected += 1;
    for (const problem of problems) this.problems.push({ kind: "rejected", ...problem });
  }

  warn(problem: Told): void {
    this.counts.warned += 1;
    this.problems.push({ kind: "warning", ...problem });
  }

  /** True when it is a product. */
  take(raw: RawProduct, { row, columnOf = (field) => importFieldLabels[field] }: Place): boolean {
    const { product, ...checked } = checkProduct(raw, this.rules);
    const sku = shown(product.sku) || null;
    const at = ([field, message]: readonly [ImportField, string]) => ({ row, sku, column: columnOf(field), message });
    const errors = checked.errors.map(at);
    const earlier = this.skus.get(product.sku);
    if (errors.length === 0 && earlier !== undefined) {
      errors.push(at(["sku", `The SKU ${product.sku} is in row ${earlier} already`]));
    }
    if (errors.length > 0) {
      this.reject(...errors);
      return false;
    }
    this.skus.set(product.sku, row);
    this.counts.rowsRead += 1;
    this.counts.staged += 1;
    if (checked.derivedSku) this.counts.derivedSkus += 1;
    if (checked.defaultCategory) this.counts.defaultCategories += 1;
    for (const warning of checked.warnings) this.warn(at(warning));
    const { name, category, priceCents, description, inventory, imageUrl, brand, groupKey } = product;
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
    });
    return true;
  }
}

/** A SKU that was refused for its characters, too, has to be written down. */
function shown(text: string): string {
  return [...text.replace(/\p{Cc}/gu, "�").toWellFormed()].slice(0, 100).join("");
}
