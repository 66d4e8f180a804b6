import { runInNewContext } from "node:vm";
import { type CellObject, read, type WorkBook } from "@e965/xlsx";
import { isCompoundFile, isEncryptedPackage } from "./compound-file.server.ts";
import { formatNumberAs } from "./numbers/format-cell.ts";
import { compileNumberFormat, type NumberFormat } from "./numbers/number-format.ts";
import { damagedSheet, encryptedSheet, SheetError, sheetLimitExceeded } from "./sheet-error.ts";
import { defaultSheetLimits, type RandomAccessFile, type SheetHandlers, type SheetLimits } from "./sheet-types.ts";
import { notASpreadsheet } from "./workbook.server.ts";

const minimalOptions = {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellNF: true,
  cellStyles: false,
  cellText: false,
  bookDeps: false,
  bookFiles: false,
  bookProps: false,
  bookVBA: false,
} as const;

/**
 * Reads the rows of all worksheets of an old .xls (BIFF), with the values, events and errors of `readXlsx`. The library
 * holds the whole workbook in memory: call this in a worker with resource limits. Files larger than `limits.xlsBytes`
 * are rejected before they are read, and those that take longer than `limits.xlsMs` then: one changed byte can make the
 * library read a formula for ever.
 */
export async function readXls(
  file: RandomAccessFile,
  { limits: overrides, signal, onSheet, onRow }: SheetHandlers & { limits?: Partial<SheetLimits> },
): Promise<void> {
  const limits = { ...defaultSheetLimits, ...overrides };
  if (!(await isCompoundFile(file))) throw notASpreadsheet();
  if (await isEncryptedPackage(file)) throw encryptedSheet();
  if (file.size > limits.xlsBytes) throw tooLarge(limits.xlsBytes);
  const book = parse(Buffer.from(await file.read(0, file.size)), limits);
  const formats = new FormatsByCode(book.Workbook?.WBProps?.date1904 === true);
  let cells = 0;
  for (const [index, name] of book.SheetNames.entries()) {
    const sheet = book.Sheets[name];
    // Charts and old macro sheets are listed as sheets too.
    if (sheet === undefined || (sheet["!type"] ?? "sheet") !== "sheet") continue;
    const hidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
    if ((await onSheet?.({ name, hidden })) === false) continue;
    const rows = sheet["!data"] ?? [];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at];
      if (row === undefined) continue;
      const texts = formatRow(row, formats);
      cells += texts.length;
      if (texts.length > limits.columns) throw sheetLimitExceeded("too_many_columns");
      if (cells > limits.cells) throw sheetLimitExceeded("too_many_cells");
      if (at % 1024 === 0) signal?.throwIfAborted();
      const pending = onRow(texts, at + 1);
      if (pending instanceof Promise) await pending;
    }
  }
}

function parse(bytes: Buffer, limits: SheetLimits): WorkBook {
  let book: WorkBook;
  try {
    const readAll = () => read(bytes, { type: "buffer", sheetRows: limits.rows, ...minimalOptions });
    book = withoutConsole(() => within(limits.xlsMs, readAll));
  } catch (error) {
    // The library's message may quote the file, so only the fact that a password is needed is used.
    throw error instanceof Error && /password/i.test(error.message) ? encryptedSheet() : damagedSheet("container");
  }
  if (book.SheetNames.length === 0) throw notASpreadsheet();
  return book;
}

/** Runs synchronous work, which V8 ends after the given time in milliseconds; it throws then. */
function within<Result>(timeout: number, work: () => Result): Result {
  let result: { value: Result } | undefined;
  const run = () => {
    result = { value: work() };
  };
  // A script alone can have a time limit, and a context of its own is the way to give it the work.
  runInNewContext("run()", { run }, { timeout });
  if (!result) throw new Error("the work was not run");
  return result.value;
}

/** Runs synchronous work without console output: the library logs what it finds odd, which may quote the file. */
function withoutConsole<Result>(work: () => Result): Result {
  const { error, warn, info, log } = console;
  const nothing = () => undefined;
  Object.assign(console, { error: nothing, warn: nothing, info: nothing, log: nothing });
  try {
    return work();
  } finally {
    Object.assign(console, { error, warn, info, log });
  }
}

/** Returns the texts of a row's cells up to the last one that is not empty. Missing cells are holes or null. */
function formatRow(row: (CellObject | null | undefined)[], formats: FormatsByCode): string[] {
  const texts: string[] = [];
  for (let column = 0; column < row.length; column += 1) {
    const cell = row[column];
    const text = cell ? formatCell(cell, formats) : "";
    if (text === "") continue;
    while (texts.length < column) texts.push("");
    texts[column] = text;
  }
  return texts;
}

function formatCell({ t: kind, v: value, z: code }: CellObject, formats: FormatsByCode): string {
  if (value === undefined || value === null) return "";
  if (kind === "e") return errorTexts.get(Number(value)) ?? "#VALUE!";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return typeof value === "number" ? formatNumberAs(formats.get(code), String(value)) : String(value);
}

/** The formats of a workbook's cells, each compiled once. */
class FormatsByCode {
  readonly #formats = new Map<string, NumberFormat | undefined>();
  readonly #is1904: boolean;

  constructor(is1904: boolean) {
    this.#is1904 = is1904;
  }

  get(code: string | number | undefined): NumberFormat | undefined {
    const key = String(code ?? "General");
    if (!this.#formats.has(key)) this.#formats.set(key, compileNumberFormat(key, { is1904: this.#is1904 }));
    return this.#formats.get(key);
  }
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
    `.xls files can be up to ${megabytes} MB. Save the file as .xlsx or .csv and upload it again.`,
  );
}
