import { afterPlainRow, type PlainRow, readPlainRow } from "./plain-row.ts";
import type { SharedStrings } from "./shared-strings.server.ts";
import { SheetCell, withDigits } from "./sheet-cell.server.ts";
import { damaged, tooMany } from "./sheet-error.ts";
import type { SheetLimits } from "./sheet-reading.ts";
import { shortCode, token, XmlScanner } from "./xml-scanner.server.ts";

const name = {
  row: shortCode("row"),
  c: shortCode("c"),
  v: shortCode("v"),
  is: shortCode("is"),
  t: shortCode("t"),
  r: shortCode("r"),
};
/** How deep the elements of a sheet stand: worksheet, sheetData, row, c, v or is, t or r, t. */
const depth = { data: 2, row: 3, cell: 4, value: 5, inline: 6, run: 7 } as const;

/** Cells delivered so far, over all sheets of a file. */
export type CellCount = { cells: number };

/**
 * The rows of one worksheet, taken one by one: `next` says "need" until `feed` brought enough. Only values are read:
 * of a formula the value that was saved with it, never its text; dates stay the numbers that they are.
 */
export class SheetRows {
  /** The row that `next` found, and its number. */
  cells: string[] = [];
  rowNumber = 0;
  /** Cells of other columns are not made text. */
  wanted: ReadonlySet<number> | undefined;

  readonly #scanner = new XmlScanner();
  readonly #cell: SheetCell;
  readonly #limits: SheetLimits;
  readonly #count: CellCount;
  /** The row so far: of one array that serves for all rows, its beginning. */
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

  constructor(strings: SharedStrings | undefined, limits: SheetLimits, count: CellCount) {
    this.#cell = new SheetCell(this.#scanner, strings);
    this.#limits = limits;
    this.#count = count;
  }

  feed(piece: Buffer): void {
    this.#scanner.feed(piece);
  }

  refuseUnfinished(): void {
    this.#scanner.refuseUnfinished();
  }

  next(): "row" | "need" {
    const scanner = this.#scanner;
    for (;;) {
      if (this.#inData && !scanner.atEmptyElement && this.#readPlain()) return "row";
      const found = scanner.next();
      if (found === token.text) {
        if (this.#capturing) this.#cell.addText();
      } else if (found === token.start) this.#start();
      else if (found === token.need) return "need";
      else if (this.#end()) return "row";
    }
  }

  /** Reads what needs no scanner, as far as it goes. True when a row is complete. */
  #readPlain(): boolean {
    const scanner = this.#scanner;
    if (scanner.depth === depth.data) {
      const start = readPlainRow(scanner.bytes, scanner.place(), this.#plainRow);
      if (start === 0) return false;
      scanner.goOnAt(start, 1);
      this.#startRow(this.#plainRow.number, this.#plainRow.digits);
    }
    if (!this.#inRow || scanner.depth !== depth.row) return false;
    while (this.#cell.readPlain(this.#rowDigits, this.wanted)) this.#place();
    const end = afterPlainRow(scanner.bytes, scanner.place());
    if (end === 0) return false;
    scanner.goOnAt(end, -1);
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

  /** True when a row is complete. */
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
    const number = slot < 0 ? this.rowNumber + 1 : withDigits(0, scanner.bytes, from, to);
    this.#startRow(number, to - from);
  }

  #startRow(number: number, digits: number): void {
    if (number === 0) throw damaged("a row without a number");
    this.rowNumber = number;
    this.#rows += 1;
    if (this.rowNumber > this.#limits.rows || this.#rows > this.#limits.rows) throw tooMany("too_many_rows");
    this.#rowDigits = digits;
    this.#length = 0;
    this.#cell.column = -1;
    this.#inRow = true;
  }

  #endRow(): void {
    this.#inRow = false;
    this.cells = this.#row.slice(0, this.#length);
    this.#count.cells += this.#length;
    if (this.#count.cells > this.#limits.cells) throw tooMany("too_many_cells");
  }

  /** Puts the cell into its column; those that the file leaves out are empty. */
  #place(): void {
    const { column } = this.#cell;
    if (column >= this.#limits.columns) throw tooMany("too_many_columns");
    if (this.wanted && !this.wanted.has(column)) return;
    const value = this.#cell.value();
    if (value === "") return;
    while (this.#length <= column) {
      this.#row[this.#length] = "";
      this.#length += 1;
    }
    this.#row[column] = value;
  }
}
