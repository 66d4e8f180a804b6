import { unwrapFormulaText } from "#app/sheets/formula-text.ts";
import { dropApostrophe, dropApostropheOfNumber } from "../../apostrophes.ts";
import { type ImportField, importFieldLabels } from "../catalog-import.ts";
import type { ColumnPlan } from "./column-plan.ts";
import type { Role } from "./dialects/dialect-definition.ts";
import { dialectTable } from "./dialects/dialect-table.ts";

/** Accesses the cells of a table row by their meaning. */
export class RowView {
  private readonly plan: ColumnPlan;
  private readonly cells: readonly (string | undefined)[];

  constructor(plan: ColumnPlan, cells: readonly (string | undefined)[]) {
    this.plan = plan;
    this.cells = cells;
  }

  /** Returns the value of the first of the role's columns that is not empty; an empty string when all are. */
  text(role: Role): string {
    for (const place of this.plan.columns.get(role) ?? []) {
      const cell = this.at(place);
      if (cell !== "") return cell;
    }
    return "";
  }

  /** Returns the values of the role's columns that are not empty. */
  all(role: Role): string[] {
    return (this.plan.columns.get(role) ?? []).map((place) => this.at(place)).filter((cell) => cell !== "");
  }

  /** Whether the file has a column for the role. */
  has(role: Role): boolean {
    return (this.plan.columns.get(role) ?? []).length > 0;
  }

  /**
   * Returns the column name to report a problem of the field with: of several, the one that has the value. `isReduced`:
   * the price is the reduced one.
   */
  columnOf(field: ImportField, { isReduced = false }: { isReduced?: boolean | undefined } = {}): string {
    const places = this.plan.columns.get(field === "price" && isReduced ? "sale" : field) ?? [];
    const place = places.find((one) => this.at(one) !== "") ?? places[0];
    return (place === undefined ? undefined : this.plan.header[place]) ?? importFieldLabels[field];
  }

  /** Returns the values of barcode columns with their names. */
  barcodes(): { name: string; code: string }[] {
    const places = this.plan.columns.get("barcode") ?? [];
    return places.map((place) => ({ name: this.plan.header[place] ?? "", code: this.at(place) }));
  }

  private at(place: number): string {
    const cell = unwrapFormulaText((this.cells[place] ?? "").trim()).trim();
    return dialectTable[this.plan.dialect].escapesFormulas ? dropApostrophe(cell) : dropApostropheOfNumber(cell);
  }
}
