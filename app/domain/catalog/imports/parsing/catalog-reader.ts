import { canDefaultCategory, canDeriveSku, type ImportOptions } from "../catalog-import.ts";
import { isScientificNotation } from "./check-product.ts";
import type { ColumnPlan } from "./column-plan.ts";
import { ProductCollector } from "./product-collector.ts";
import { type RowParser, rowParserFor } from "./row-parsers.ts";
import { RowView } from "./row-view.ts";
import type { TableFacts } from "./table-facts.ts";

/** Converts rows to products one by one and reports the problems of the others. */
export class CatalogReader {
  readonly collector: ProductCollector;
  private readonly plan: ColumnPlan;
  private readonly readRow: RowParser;

  constructor(plan: ColumnPlan, { facts, options, now }: { facts: TableFacts; options: ImportOptions; now: Date }) {
    const { dialect } = plan;
    this.plan = plan;
    this.readRow = rowParserFor(dialect, facts, now);
    this.collector = new ProductCollector({
      options: {
        deriveSku: options.deriveSku && canDeriveSku(dialect),
        defaultCategory: canDefaultCategory(dialect) ? options.defaultCategory : null,
        imageBase: options.imageBase,
      },
      decimalSeparator: facts.decimalSeparator,
      isShopExport: dialect !== "template" && dialect !== "other",
    });
  }

  /** `row`: the row number as in a spreadsheet; `count`: the number of cells, including those that are not read. */
  read(cells: readonly (string | undefined)[], row: number, count: number): void {
    const columns = this.plan.header.length;
    if (count !== columns) {
      this.collector.reject({ row, sku: null, column: "", message: describeCellCount(row, count, columns) });
      return;
    }
    const view = new RowView(this.plan, cells);
    const raw = this.readRow(view);
    if ("skipped" in raw) {
      this.collector.skip();
      if (raw.warning) {
        const [field, message] = raw.warning;
        this.collector.warn({ row, sku: null, column: view.columnOf(field), message });
      }
      return;
    }
    const isProduct = this.collector.add(raw, { row, columnOf: (field) => view.columnOf(field, raw) });
    if (isProduct) this.warnOfBarcodes(view, { row, sku: raw.sku || null });
  }

  private warnOfBarcodes(view: RowView, location: { row: number; sku: string | null }): void {
    for (const { name, code } of view.barcodes()) {
      if (!isScientificNotation(code)) continue;
      this.collector.warn({
        ...location,
        column: name,
        message: `A spreadsheet changed this number to scientific notation: ${code}. Format the column as text.`,
      });
    }
  }
}

function describeCellCount(row: number, count: number, columns: number): string {
  return `Row ${row} has ${count} ${count === 1 ? "cell" : "cells"}, but the header has ${columns}`;
}
