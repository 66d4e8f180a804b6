import { setImmediate as nextTurn } from "node:timers/promises";
import { type CsvRow, scanReport } from "./report-file.ts";

const sliceBytes = 64 * 1024;

/**
 * Parses the rows of a CSV report, with the field names of the API from its first line. Empty lines and unknown columns
 * are ignored; a missing column is missing in every row. Yields to other requests in between and stops after `maxRows`
 * rows. Throws a SheetError for a malformed file, for one that has a column twice, and for one of another format.
 */
export async function parseReportCsv(bytes: Uint8Array, maxRows: number): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  const scanner = scanReport((row) => rows.push(row));
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    scanner.push(Buffer.from(bytes.subarray(at, at + sliceBytes)));
    if (rows.length > maxRows) break;
  }
  if (rows.length <= maxRows) scanner.end();
  return rows;
}
