import { canDefaultCategory, canDeriveSku, type ImportOptions } from "../catalog-import.ts";
import { isScientific } from "./check-product.ts";
import type { ColumnPlan } from "./column-plan.ts";
import { barcodeColumns } from "./dialect.ts";
import { type ReadRow, rowReaderOf } from "./dialect-rows.ts";
import { ProductCollector } from "./product-collector.ts";
import { RowView } from "./row-view.ts";
import type { TableFacts } from "./survey.ts";

/** Makes products of rows, one after another, and says of the others why not. */
export class CatalogReader {
  readonly collector: ProductCollector;
  private readonly plan: ColumnPlan;
  private readonly readRow: ReadRow;

  constructor(plan: ColumnPlan, { facts, options }: { facts: TableFacts; options: ImportOptions }) {
    const { dialect } = plan;
    this.plan = plan;
    this.readRow = rowReaderOf(dialect, facts);
    this.collector = new ProductCollector({
      options: {
        deriveSku: options.deriveSku && canDeriveSku(dialect),
        defaultCategory: canDefaultCategory(dialect) ? options.defaultCategory : null,
      },
      priceStyle: facts.priceStyle,
      isShopExport: canDeriveSku(dialect),
    });
  }

  /** `row` as a spreadsheet numbers it; `count`: how many cells it has, the unread included. */
  read(cells: readonly (string | undefined)[], row: number, count: number): void {
    const columns = this.plan.header.length;
    if (count !== columns) {
      this.collector.reject({ row, sku: null, column: "", message: raggedWords(row, count, columns) });
      return;
    }
    const view = new RowView(this.plan, cells);
    const raw = this.readRow(view);
    if (!raw) {
      this.collector.skip();
      return;
    }
    const isTaken = this.collector.take(raw, { row, columnOf: (field) => view.columnOf(field) });
    if (isTaken) this.warnOfBarcodes(view, { row, sku: raw.sku || null });
  }

  private warnOfBarcodes(view: RowView, place: { row: number; sku: string | null }): void {
    for (const key of barcodeColumns) {
      const code = view.further(key);
      if (!isScientific(code)) continue;
      this.collector.warn({
        ...place,
        column: view.nameOf(key),
        message: `A spreadsheet damaged this number: ${code}`,
      });
    }
  }
}

function raggedWords(row: number, count: number, columns: number): string {
  return `row ${row} has ${count} ${count === 1 ? "cell" : "cells"}, the header has ${columns}`;
}
