import { type ImportField, importFieldLabels } from "../catalog-import.ts";
import type { ColumnPlan } from "./column-plan.ts";

/** Accesses the cells of a table row by their meaning. */
export class RowView {
  private readonly plan: ColumnPlan;
  private readonly cells: readonly (string | undefined)[];

  constructor(plan: ColumnPlan, cells: readonly (string | undefined)[]) {
    this.plan = plan;
    this.cells = cells;
  }

  /** Returns the value of the first of the field's columns that is not empty; an empty string when all are. */
  text(field: ImportField): string {
    for (const place of this.plan.fields.get(field) ?? []) {
      const cell = this.at(place);
      if (cell !== "") return cell;
    }
    return "";
  }

  /** Returns the value of a column that a dialect's rules read. */
  extra(key: string): string {
    const place = this.plan.extra.get(key);
    return place === undefined ? "" : this.at(place);
  }

  /** Returns the column name to report a problem of the field with. */
  columnOf(field: ImportField): string {
    const [first] = this.plan.fields.get(field) ?? [];
    return (first === undefined ? undefined : this.plan.header[first]) ?? importFieldLabels[field];
  }

  /** Returns the name of that column in the file. */
  nameOf(key: string): string {
    return this.plan.header[this.plan.extra.get(key) ?? -1] ?? key;
  }

  private at(place: number): string {
    const cell = (this.cells[place] ?? "").trim();
    // Our own export prefixes cells that a spreadsheet would run as a formula.
    return this.plan.dialect === "template" && /^'\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B]/.test(cell)
      ? cell.slice(1)
      : cell;
  }
}
