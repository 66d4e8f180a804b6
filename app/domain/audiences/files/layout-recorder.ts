import { maskValue } from "../members/parse-identifier.ts";
import type { FileLayout } from "./column-uses.ts";

/** The rows at the beginning of a table from which examples are taken. */
const sampledRows = 5;
const maxSamples = 3;

/** Adds masked examples from a table's first rows to its layout. */
export class LayoutRecorder {
  readonly layout: FileLayout;
  private rows = 0;
  private readonly maxRows: number;

  constructor(layout: FileLayout, maxRows = sampledRows) {
    this.layout = layout;
    this.maxRows = maxRows;
  }

  /** Whether enough rows were seen; until then all cells of a row are needed. */
  get isFull(): boolean {
    return this.rows >= this.maxRows;
  }

  /** `isWithheld`: the row belongs to someone who opted out, of whom nothing is stored, not even masked. */
  add(cells: readonly string[], isWithheld: boolean): void {
    if (this.isFull) return;
    this.rows += 1;
    if (isWithheld) return;
    for (const [index, { samples }] of this.layout.columns.entries()) {
      const value = (cells[index] ?? "").replace(/[\ufeff\u00a0]/g, "").trim();
      const sample = value === "" ? "" : maskValue(value);
      if (sample !== "" && samples.length < maxSamples && !samples.includes(sample)) samples.push(sample);
    }
  }
}
