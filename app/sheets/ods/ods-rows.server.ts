import { damagedSheet, sheetLimitExceeded, tooLongCell } from "../sheet-error.ts";
import type { SheetInfo, SheetLimits } from "../sheet-types.ts";
import { type Token, token, XmlScanner } from "../xml-scanner.server.ts";
import { formatOdsCell, type OdsCell } from "./ods-cell.ts";

/** A sheet that begins, or a row with content that the sheet has `count` times, from `number` on. */
export type OdsEvent =
  | { kind: "sheet"; sheet: SheetInfo }
  | { kind: "row"; cells: string[]; number: number; count: number };

/** The limit of a cell's text, in characters. */
const maxCellChars = 256 * 1024;
/** Repeated spaces count as text. */
const maxSpaces = 1024;

const emptyCell: OdsCell = {
  valueType: undefined,
  value: undefined,
  dateValue: undefined,
  currency: undefined,
  hasFormula: false,
  shown: undefined,
};

/**
 * Reads the tables of an OpenDocument spreadsheet's `content.xml` (OpenDocument 1.3 part 3, 9.1), one event at a time:
 * `next` returns undefined until `feed` has added enough bytes. Comments, drawings and tables inside cells are skipped.
 */
export class OdsRows {
  /** The columns whose cells are decoded; all when undefined. */
  columnsToDecode: ReadonlySet<number> | undefined;

  readonly #scanner = new XmlScanner();
  readonly #limits: SheetLimits;
  /** The names of the open elements, from the root on. */
  readonly #path: string[] = [];
  readonly #hiddenStyles = new Set<string>();
  #style = "";
  /** The depths of the current table, row, cell and paragraph; 0 outside. */
  #table = 0;
  #row = 0;
  #cell = 0;
  #paragraph = 0;
  /** The depth of an element inside a cell that is not part of its value; 0 outside. */
  #skipped = 0;
  #current: OdsCell = emptyCell;
  #cellCount = 1;
  #rowCount = 1;
  /** The number of the row that comes next, from 1. */
  #number = 1;
  #column = 0;
  #cells: string[] = [];

  constructor(limits: SheetLimits) {
    this.#limits = limits;
  }

  feed(piece: Buffer): void {
    this.#scanner.feed(piece);
  }

  /** Throws SheetError unless the document was read to its end. */
  requireComplete(): void {
    this.#scanner.requireComplete();
  }

  /** Reads to the next event. Throws SheetError for a damaged document and for one that exceeds a limit. */
  next(): OdsEvent | undefined {
    const scanner = this.#scanner;
    for (let kind: Token = scanner.next(); kind !== token.need; kind = scanner.next()) {
      const event = kind === token.start ? this.#start() : kind === token.end ? this.#end() : this.#text();
      if (event) return event;
    }
    return undefined;
  }

  #start(): OdsEvent | undefined {
    const scanner = this.#scanner;
    const { depth } = scanner;
    const name = scanner.name();
    const parent = this.#path[depth - 2];
    this.#path[depth - 1] = name;
    if (this.#skipped > 0) return undefined;
    if (this.#cell > 0) this.#startInCell(name, depth);
    else if (this.#row > 0) {
      if (depth === this.#row + 1 && (name === "table-cell" || name === "covered-table-cell")) this.#startCell();
    } else if (name === "table" && parent === "spreadsheet") return this.#startTable();
    else if (name === "table-row" && this.#table > 0) this.#startRow();
    else if (name === "style") this.#style = scanner.attribute("name") ?? "";
    else if (name === "table-properties" && scanner.attribute("display") === "false")
      this.#hiddenStyles.add(this.#style);
    return undefined;
  }

  #startTable(): OdsEvent {
    const scanner = this.#scanner;
    this.#table = scanner.depth;
    this.#number = 1;
    const hidden = this.#hiddenStyles.has(scanner.attribute("style-name") ?? "");
    return { kind: "sheet", sheet: { name: scanner.attribute("name") ?? "", hidden } };
  }

  #startRow(): void {
    this.#row = this.#scanner.depth;
    this.#rowCount = this.#repetitions("number-rows-repeated");
    this.#column = 0;
    this.#cells = [];
  }

  #startCell(): void {
    const scanner = this.#scanner;
    this.#cell = scanner.depth;
    this.#cellCount = this.#repetitions("number-columns-repeated");
    const valueType = scanner.attribute("value-type");
    this.#current = {
      valueType,
      value: scanner.attribute(valueTypeAttributes[valueType ?? ""] ?? "value"),
      dateValue: valueType === "date" ? scanner.attribute("date-value") : undefined,
      currency: valueType === "currency" ? scanner.attribute("currency") : undefined,
      hasFormula: scanner.findAttribute("formula") >= 0,
      shown: undefined,
    };
  }

  /** Text is in paragraphs, which spans and links may divide; whatever else a cell contains is not its value. */
  #startInCell(name: string, depth: number): void {
    if (this.#paragraph === 0) {
      if (name !== "p") this.#skipped = depth;
      else {
        this.#paragraph = depth;
        this.#append(this.#current.shown === undefined ? "" : "\n");
      }
      return;
    }
    if (name === "s") this.#append(" ".repeat(Math.min(this.#repetitions("c"), maxSpaces)));
    else if (name === "tab") this.#append("\t");
    else if (name === "line-break") this.#append("\n");
    else if (!/^(?:span|a|meta|ruby|ruby-base|bookmark.*)$/.test(name)) this.#skipped = depth;
  }

  #text(): undefined {
    if (this.#paragraph === 0 || this.#skipped > 0) return;
    this.#append(this.#scanner.text().replace(/[\t\n\r ]+/g, " "));
  }

  #append(text: string): void {
    const shown = (this.#current.shown ?? "") + text;
    if (shown.length > maxCellChars) throw tooLongCell();
    this.#current.shown = shown;
  }

  #end(): OdsEvent | undefined {
    const ended = this.#scanner.depth + 1;
    this.#path.length = Math.min(this.#path.length, this.#scanner.depth);
    if (this.#skipped > 0) {
      if (ended === this.#skipped) this.#skipped = 0;
      return undefined;
    }
    if (ended === this.#paragraph) this.#paragraph = 0;
    else if (ended === this.#cell) this.#endCell();
    else if (ended === this.#row) return this.#endRow();
    else if (ended === this.#table) this.#table = 0;
    return undefined;
  }

  #endCell(): void {
    this.#cell = 0;
    const first = this.#column;
    this.#column += this.#cellCount;
    const text = formatOdsCell(this.#current);
    if (text === "") return;
    if (this.#column > this.#limits.columns) throw sheetLimitExceeded("too_many_columns");
    for (let column = first; column < this.#column; column += 1) {
      if (this.columnsToDecode && !this.columnsToDecode.has(column)) continue;
      while (this.#cells.length < column) this.#cells.push("");
      this.#cells[column] = text;
    }
  }

  #endRow(): OdsEvent | undefined {
    const [cells, number, count] = [this.#cells, this.#number, this.#rowCount];
    this.#row = 0;
    this.#number += count;
    if (cells.length === 0) return undefined;
    if (number + count - 1 > this.#limits.rows) throw sheetLimitExceeded("too_many_rows");
    return { kind: "row", cells, number, count };
  }

  #repetitions(attribute: string): number {
    const text = this.#scanner.attribute(attribute);
    if (text === undefined) return 1;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw damagedSheet("invalid number");
    return Number(text);
  }
}

/** The attribute that has the value of a cell of each type, where it is not `value`. */
const valueTypeAttributes: Record<string, string> = {
  string: "string-value",
  boolean: "boolean-value",
  time: "time-value",
};
