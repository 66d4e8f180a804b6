import { type CellObject, read, type WorkBook } from "@e965/xlsx";
import { readableNumber } from "./cell-values.ts";
import { isCompoundFile, isEncryptedPackage } from "./compound-file.server.ts";
import { damaged, encrypted, SheetError, tooMany } from "./sheet-error.ts";
import { defaultSheetLimits, type RandomAccess, type SheetEvents, type SheetLimits } from "./sheet-reading.ts";
import { notASpreadsheet } from "./workbook.server.ts";

const asFewAsPossible = {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellNF: false,
  cellStyles: false,
  cellText: false,
  bookDeps: false,
  bookFiles: false,
  bookProps: false,
  bookVBA: false,
} as const;

/**
 * Reads the rows of all worksheets of an old .xls (BIFF), with the values, events and errors of `readXlsx`. The library
 * for it holds the whole workbook in memory and cannot be interrupted: run it in a worker with resource limits and a
 * deadline. Larger files than `limits.xlsBytes` are refused before they are read.
 */
export async function readXls(
  file: RandomAccess,
  { limits: changed, signal, onSheet, onRow }: SheetEvents & { limits?: Partial<SheetLimits> },
): Promise<void> {
  const limits = { ...defaultSheetLimits, ...changed };
  if (!(await isCompoundFile(file))) throw notASpreadsheet();
  if (await isEncryptedPackage(file)) throw encrypted();
  if (file.size > limits.xlsBytes) throw tooLarge(limits.xlsBytes);
  const book = parse(Buffer.from(await file.read(0, file.size)), limits);
  let cells = 0;
  for (const [index, name] of book.SheetNames.entries()) {
    const sheet = book.Sheets[name];
    // Charts and the macro sheets of old are sheets too.
    if (sheet === undefined || (sheet["!type"] ?? "sheet") !== "sheet") continue;
    const hidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
    if ((await onSheet?.({ name, hidden })) === false) continue;
    const rows = sheet["!data"] ?? [];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at];
      if (row === undefined) continue;
      const texts = textsOf(row);
      cells += texts.length;
      if (texts.length > limits.columns) throw tooMany("too_many_columns");
      if (cells > limits.cells) throw tooMany("too_many_cells");
      if (at % 1024 === 0) signal?.throwIfAborted();
      const waiting = onRow(texts, at + 1);
      if (waiting instanceof Promise) await waiting;
    }
  }
}

function parse(bytes: Buffer, limits: SheetLimits): WorkBook {
  let book: WorkBook;
  try {
    book = inSilence(() => read(bytes, { type: "buffer", sheetRows: limits.rows, ...asFewAsPossible }));
  } catch (error) {
    // The library's own words may quote the file: only whether it asks for a password is taken from them.
    throw error instanceof Error && /password/i.test(error.message) ? encrypted() : damaged("its container");
  }
  if (book.SheetNames.length === 0) throw notASpreadsheet();
  return book;
}

/** The library tells the console what it finds odd, which may be pieces of the file. `work` waits for nothing. */
function inSilence<Result>(work: () => Result): Result {
  const { error, warn, info, log } = console;
  const nothing = () => undefined;
  Object.assign(console, { error: nothing, warn: nothing, info: nothing, log: nothing });
  try {
    return work();
  } finally {
    Object.assign(console, { error, warn, info, log });
  }
}

/** Missing cells are holes or null. */
function textsOf(row: (CellObject | null | undefined)[]): string[] {
  const texts: string[] = [];
  for (let column = 0; column < row.length; column += 1) {
    const cell = row[column];
    const text = cell ? textOf(cell) : "";
    if (text === "") continue;
    while (texts.length < column) texts.push("");
    texts[column] = text;
  }
  return texts;
}

function textOf({ t: kind, v: value }: CellObject): string {
  if (value === undefined || value === null) return "";
  if (kind === "e") return errorTexts.get(Number(value)) ?? "#VALUE!";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return typeof value === "number" ? readableNumber(String(value)) : String(value);
}

/** MS-XLS 2.5.10 (Bes). */
const errorTexts = new Map([
  [0x00, "#NULL!"],
  [0x07, "#DIV/0!"],
  [0x0f, "#VALUE!"],
  [0x17, "#REF!"],
  [0x1d, "#NAME?"],
  [0x24, "#NUM!"],
  [0x2a, "#N/A"],
]);

function tooLarge(limit: number): SheetError {
  const megabytes = Math.floor(limit / 1024 / 1024);
  return new SheetError(
    "too_large_file",
    `Files of the old .xls format may have ${megabytes} MB. Save it as .xlsx or .csv and send that.`,
  );
}
