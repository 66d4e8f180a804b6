import { type ImportField, importFieldLabels } from "../catalog-import.ts";
import type { ColumnPlan } from "./column-plan.ts";

/** A row of a table, by what its cells mean. */
export class RowView {
  private readonly plan: ColumnPlan;
  private readonly cells: readonly (string | undefined)[];

  constructor(plan: ColumnPlan, cells: readonly (string | undefined)[]) {
    this.plan = plan;
    this.cells = cells;
  }

  /** The first of the field's columns that has something in it; empty when none has. */
  text(field: ImportField): string {
    for (const place of this.plan.fields.get(field) ?? []) {
      const cell = this.at(place);
      if (cell !== "") return cell;
    }
    return "";
  }

  /** A column that a dialect's rules look at. */
  further(key: string): string {
    const place = this.plan.further.get(key);
    return place === undefined ? "" : this.at(place);
  }

  /** What the column is called that a problem with the field is told at. */
  columnOf(field: ImportField): string {
    const [first] = this.plan.fields.get(field) ?? [];
    return (first === undefined ? undefined : this.plan.header[first]) ?? importFieldLabels[field];
  }

  /** What that column is called in the file. */
  nameOf(key: string): string {
    return this.plan.header[this.plan.further.get(key) ?? -1] ?? key;
  }

  private at(place: number): string {
    const cell = (this.cells[place] ?? "").trim();
    // Our own export guards what a spreadsheet would run.
    return this.plan.dialect === "template" && /^'\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B]/.test(cell)
      ? cell.slice(1)
      : cell;
  }
}
