import { streamDownload } from "./stream-download.ts";

type Rows = readonly (readonly (string | number | null)[])[];

/**
 * Returns a table as CSV. Text that a spreadsheet would run as a formula is prefixed with `'`; numbers stay numbers.
 */
export function toCsv(rows: Rows): string {
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

/** The mark by which Excel on Windows reads a CSV file as UTF-8: without it "Café" is shown as "CafÃ©". */
export const byteOrderMark = "\uFEFF";

/** Returns a CSV download for people, with a byte-order mark, generated while it is sent. */
export function csvResponse(fileName: string, pieces: AsyncIterable<Rows>): Response {
  return streamDownload(toText(pieces), { fileName, type: "text/csv" });
}

async function* toText(pieces: AsyncIterable<Rows>): AsyncGenerator<string> {
  let mark = byteOrderMark;
  for await (const rows of pieces) {
    yield mark + toCsv(rows);
    mark = "";
  }
}

/**
 * Escapes text that a spreadsheet would run as a formula. Some spreadsheets also accept full-width signs and skip
 * leading blanks.
 */
export function escapeFormula(value: string): string {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B])/.test(value) ? `'${value}` : value;
}

function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = escapeFormula(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
