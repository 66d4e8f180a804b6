import type { InvalidReason, UploadProblem } from "../audience.ts";
import { type Identifier, maskValue, readIdentifier } from "../members/read-identifier.ts";
import type { Columns } from "./columns.ts";

const mostProblems = 1_000;

/** What was seen in the files of an upload. */
export type RowCounts = {
  rowsRead: number;
  rowsBlank: number;
  rowsInvalid: number;
  invalidByReason: Partial<Record<InvalidReason, number>>;
  problems: UploadProblem[];
};

/** Reads the identifiers out of rows, counts what cannot be read, and gives each person to `take`. */
export class RowReader {
  readonly counts: RowCounts = { rowsRead: 0, rowsBlank: 0, rowsInvalid: 0, invalidByReason: {}, problems: [] };
  private readonly take: (identifiers: readonly Identifier[]) => void;
  private readonly country: string | undefined;

  /** `country`: how phones are read in rows that name none. */
  constructor(take: (identifiers: readonly Identifier[]) => void, country: string | undefined) {
    this.take = take;
    this.country = country;
  }

  /** One row; `file` counts from 0, `line` from 1. A bad row is reported, it never fails the file. */
  read(cells: readonly string[], columns: Columns, place: { file: number; line: number }): void {
    this.counts.rowsRead += 1;
    const country = (columns.country === undefined ? "" : (cells[columns.country] ?? "").trim()) || this.country;
    const identifiers: Identifier[] = [];
    let unread: { reason: InvalidReason; value: string } | undefined;
    for (const { index, type, hashed } of columns.identifiers) {
      const value = cells[index] ?? "";
      if (value === "") continue;
      const read = readIdentifier(value, { type, hashed, country });
      if (!read) continue;
      if ("reason" in read) unread ??= { reason: read.reason, value };
      else identifiers.push(read);
    }
    if (identifiers.length > 0) this.take(identifiers);
    else if (unread) this.reportInvalid(unread, place);
    else this.counts.rowsBlank += 1;
  }

  /** Rows that somebody else has read, and how many of them held nothing. */
  countTaken({ rows, blank }: { rows: number; blank: number }): void {
    this.counts.rowsRead += rows;
    this.counts.rowsBlank += blank;
  }

  private reportInvalid(
    { reason, value }: { reason: InvalidReason; value: string },
    place: { file: number; line: number },
  ) {
    const { counts } = this;
    counts.rowsInvalid += 1;
    counts.invalidByReason[reason] = (counts.invalidByReason[reason] ?? 0) + 1;
    if (counts.problems.length < mostProblems) counts.problems.push({ ...place, reason, value: maskValue(value) });
  }
}
