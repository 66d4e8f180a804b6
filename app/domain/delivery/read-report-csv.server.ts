import { setImmediate as nextTurn } from "node:timers/promises";
import { type CsvRow, scanReport } from "./report-file.ts";

const sliceBytes = 64 * 1024;

/**
 * The rows of a report as CSV, named by its first line, as the wire has them; empty lines are none, and other columns are left alone. A column that is missing
 * is missing in every row. Other requests have their turn in between. Behind `maxRows` rows it
 * reads no further. Throws SheetError for what is no table.
 */
export async function readReportCsv(bytes: Uint8Array, maxRows: number): Promise<CsvRow[]> {
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
