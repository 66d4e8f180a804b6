import { openSpool } from "#app/sheets/encrypted-spool.server.ts";
import { loadSpreadsheetReader } from "#app/sheets/spreadsheet-reader.server.ts";
import { findHeader, headerSearchRows } from "./find-header.ts";
import { isBlankRow, type SpreadsheetSource } from "./table.server.ts";

type Sheet = { number: number; rows: string[][] };
const noColumns: ReadonlySet<number> = new Set();

/**
 * Chooses the sheet of a workbook that is imported: the first visible one whose first rows have the columns of
 * products, and where none has, the first visible one with content. Suppliers put covers and instructions before their
 * tables. Reads no further than needed. Throws SheetError when the file cannot be read.
 */
export async function findSheet(source: SpreadsheetSource): Promise<SpreadsheetSource> {
  const stop = new AbortController();
  let [number, first]: [number, Sheet | undefined] = [0, undefined];
  let sheet: Sheet | undefined;
  let found: Sheet | undefined;
  const examine = () => {
    if (!sheet || sheet.rows.length === 0 || found) return;
    first ??= sheet;
    if (!findHeader(sheet.rows).isKnown) return;
    found = sheet;
    stop.abort();
  };
  const read = await loadSpreadsheetReader(source.format);
  const reading = read(openSpool(source.spool), {
    signal: stop.signal,
    onSheet: ({ hidden }) => {
      examine();
      number += 1;
      sheet = hidden ? undefined : { number, rows: [] };
      return !hidden && !found;
    },
    columnsToDecode: () => (sheet && sheet.rows.length < headerSearchRows ? undefined : noColumns),
    onRow: (cells) => {
      if (!sheet || sheet.rows.length >= headerSearchRows || isBlankRow(cells)) return;
      sheet.rows.push(cells.map((cell) => cell.trim()));
      if (sheet.rows.length === headerSearchRows) examine();
    },
  });
  await reading.catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  examine();
  const chosen = found ?? first;
  return chosen ? { ...source, sheet: chosen.number } : source;
}
