import { type PlainRow, readPlainRow, skipRowEnd } from "./plain-row.ts";
import { appendDigits, type CellTables, SheetCell } from "./sheet-cell.server.ts";
import { damagedSheet, sheetLimitExceeded } from "./sheet-error.ts";
import type { SheetLimits } from "./sheet-types.ts";
import { shortNameCode, token, XmlScanner } from "./xml-scanner.server.ts";

const name = {
  row: shortNameCode("row"),
  c: shortNameCode("c"),
  f: shortNameCode("f"),
  v: shortNameCode("v"),
  is: shortNameCode("is"),
  t: shortNameCode("t"),
  r: shortNameCode("r"),
};
/** The depths of the elements of a sheet: worksheet, sheetData, row, c, v or is, t or r, t. */
const depth = { data: 2, row: 3, cell: 4, value: 5, inline: 6, run: 7 } as const;

/** Cells delivered so far, over all sheets of a file. */
export type CellCount = { cells: number };

/**
 * Reads the rows of one worksheet, one by one: `next` returns "need" until `feed` has added enough bytes. Only values
 * are read: for a formula the value that was saved with it, never its text.
 */
export class SheetRows {
  /** The row that `next` read, and its number, from 1. */
  cells: string[] = [];
  rowNumber = 0;
  /** The columns whose cells are decoded; all when undefined. */
  columnsToDecode: ReadonlySet<number> | undefined;

  readonly #scanner = new XmlScanner();
  readonly #cell: SheetCell;
  readonly #limits: SheetLimits;
  readonly #count: CellCount;
  /** The current row: the first `#length` elements of one array that all rows share. */
  readonly #row: string[] = [];
  #length = 0;
  #rows = 0;
  #rowDigits = 0;
  readonly #plainRow: PlainRow = { number: 0, digits: 0 };
  #inData = false;
  #inRow = false;
  #inCell = false;
  #inInline = false;
  #inRun = false;
  #capturing = false;

  constructor(tables: CellTables, limits: SheetLimits, count: CellCount) {
    this.#cell = new SheetCell(this.#scanner, tables);
    this.#limits = limits;
    this.#count = count;
  }

  feed(piece: Buffer): void {
    this.#scanner.feed(piece);
  }

  /** Throws SheetError unless the worksheet was read to its end. */
  requireComplete(): void {
    this.#scanner.requireComplete();
  }

  /** Reads to the end of the next row. Throws SheetError for a damaged sheet and for one that exceeds a limit. */
  next(): "row" | "need" {
    const scanner = this.#scanner;
    for (;;) {
      if (this.#inData && !scanner.atEmptyElement && this.#readPlain()) return "row";
      const kind = scanner.next();
      if (kind === token.text) {
        if (this.#capturing) this.#cell.addText();
      } else if (kind === token.start) this.#start();
      else if (kind === token.need) return "need";
      else if (this.#end()) return "row";
    }
  }

  /** Reads plain rows and cells without the scanner, as far as possible. Returns whether a row is complete. */
  #readPlain(): boolean {
    const scanner = this.#scanner;
    if (scanner.depth === depth.data) {
      const start = readPlainRow(scanner.bytes, scanner.place(), this.#plainRow);
      if (start === 0) return false;
      scanner.seek(start, 1);
      this.#startRow(this.#plainRow.number, this.#plainRow.digits);
    }
    if (!this.#inRow || scanner.depth !== depth.row) return false;
    while (this.#cell.readPlain(this.#rowDigits, this.columnsToDecode)) this.#place();
    const end = skipRowEnd(scanner.bytes, scanner.place());
    if (end === 0) return false;
    scanner.seek(end, -1);
    this.#endRow();
    return true;
  }

  #start(): void {
    const short = this.#scanner.shortName;
    switch (this.#scanner.depth) {
      case depth.data:
        this.#inData = this.#scanner.name() === "sheetData";
        return;
      case depth.row:
        if (this.#inData && short === name.row) this.#startRowOfTag();
        return;
      case depth.cell:
        this.#inCell = this.#inRow && short === name.c;
        if (this.#inCell) this.#cell.start();
        return;
      case depth.value:
        if (this.#inCell && short === name.f) this.#cell.startFormula();
        if (this.#inCell && short === name.v) this.#cell.startValue();
        this.#capturing = this.#inCell && short === name.v && !this.#cell.isInline;
        this.#inInline = this.#inCell && short === name.is && this.#cell.isInline;
        return;
      case depth.inline:
        this.#capturing = this.#inInline && short === name.t;
        this.#inRun = this.#inInline && short === name.r;
        return;
      case depth.run:
        this.#capturing = this.#inRun && short === name.t;
        return;
      default:
        return;
    }
  }

  /** Handles an end tag. Returns whether a row is complete. */
  #end(): boolean {
    this.#capturing = false;
    const ended = this.#scanner.depth + 1;
    if (ended === depth.cell && this.#inCell) {
      this.#inCell = false;
      this.#place();
    }
    if (ended !== depth.row || !this.#inRow) return false;
    this.#endRow();
    return true;
  }

  #startRowOfTag(): void {
    const scanner = this.#scanner;
    const slot = scanner.findAttribute("r");
    const [from, to] = [scanner.attributeFrom(slot), scanner.attributeTo(slot)];
    const number = slot < 0 ? this.rowNumber + 1 : appendDigits(0, scanner.bytes, from, to);
    this.#startRow(number, to - from);
  }

  #startRow(number: number, digits: number): void {
    if (number === 0) throw damagedSheet("a row without a number");
    this.rowNumber = number;
    this.#rows += 1;
    if (this.rowNumber > this.#limits.rows || this.#rows > this.#limits.rows) throw sheetLimitExceeded("too_many_rows");
    this.#rowDigits = digits;
    this.#length = 0;
    this.#cell.column = -1;
    this.#inRow = true;
  }

  #endRow(): void {
    this.#inRow = false;
    this.cells = this.#row.slice(0, this.#length);
    this.#count.cells += this.#length;
    if (this.#count.cells > this.#limits.cells) throw sheetLimitExceeded("too_many_cells");
  }

  /** Stores the cell in its column; columns that the file omits are empty. */
  #place(): void {
    const { column } = this.#cell;
    if (column >= this.#limits.columns) throw sheetLimitExceeded("too_many_columns");
    if (this.columnsToDecode && !this.columnsToDecode.has(column)) return;
    const value = this.#cell.value();
    if (value === "") return;
    while (this.#length <= column) {
      this.#row[this.#length] = "";
      this.#length += 1;
    }
    this.#row[column] = value;
  }
}
