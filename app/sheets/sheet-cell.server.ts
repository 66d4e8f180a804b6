import type { CellFormats } from "./numbers/cell-formats.server.ts";
import { formatCellBoolean, formatNumberAs, isVerbatimNumber, unsavedFormula } from "./numbers/format-cell.ts";
import type { NumberFormat } from "./numbers/number-format.ts";
import { type PlainCell, readPlainCell } from "./plain-cell.ts";
import type { SharedStrings } from "./shared-strings.server.ts";
import { damagedSheet, tooLongCell } from "./sheet-error.ts";
import type { XmlScanner } from "./xml-scanner.server.ts";
import { decodeSpreadsheetEscapes } from "./xml-text.ts";

type CellKind = "number" | "shared" | "boolean" | "inline" | "verbatim";

/** A cell with formatted text or comments consists of many pieces. */
const maxCellChars = 256 * 1024;

/** What the cells of all sheets refer to. */
export type CellTables = { strings: SharedStrings | undefined; formats: CellFormats };

/** The current cell, whose value is read piece by piece. */
export class SheetCell {
  /** From 0; -1 before the first cell of a row. */
  column = -1;
  #kind: CellKind = "number";
  #text = "";
  #index = -1;
  /** Whether the number's text is displayed unchanged. */
  #exact = true;
  #format: NumberFormat | undefined;
  /** Whether the cell has a formula, and no result has been read yet. */
  #isUnsaved = false;
  readonly #plain: PlainCell = { column: 0, style: 0, kind: 0, index: 0, from: 0, to: 0 };
  readonly #scanner: XmlScanner;
  readonly #strings: SharedStrings | undefined;
  readonly #formats: CellFormats;

  constructor(scanner: XmlScanner, { strings, formats }: CellTables) {
    this.#scanner = scanner;
    this.#strings = strings;
    this.#formats = formats;
  }

  get isInline(): boolean {
    return this.#kind === "inline";
  }

  /** Starts a cell at the scanner's current tag. */
  start(): void {
    const scanner = this.#scanner;
    const place = scanner.findAttribute("r");
    this.column = place < 0 ? this.column + 1 : this.#readColumn(place);
    const type = scanner.findAttribute("t");
    const [from, to] = [scanner.attributeFrom(type), scanner.attributeTo(type)];
    this.#kind = type < 0 ? "number" : kindOf(scanner.bytes, from, to);
    const style = this.#formats.length > 0 ? scanner.findAttribute("s") : -1;
    this.#format =
      style < 0
        ? undefined
        : this.#formats[appendDigits(0, scanner.bytes, scanner.attributeFrom(style), scanner.attributeTo(style))];
    this.#text = "";
    this.#index = -1;
    this.#exact = false;
    this.#isUnsaved = false;
  }

  /** Notes that the cell has a formula. */
  startFormula(): void {
    this.#isUnsaved = true;
  }

  /** Notes that the cell has a value, which may be the empty text. */
  startValue(): void {
    if (this.#kind !== "number") this.#isUnsaved = false;
  }

  /** Adds the scanner's current text to the value. */
  addText(): void {
    const scanner = this.#scanner;
    if (this.#kind === "shared") {
      this.#index = appendDigits(Math.max(this.#index, 0), scanner.bytes, scanner.from, scanner.to);
      return;
    }
    const text = scanner.hasUnderscore ? decodeSpreadsheetEscapes(scanner.text()) : scanner.text();
    this.#text = this.#text === "" ? text : this.#text + text;
    if (this.#text.length > maxCellChars) throw tooLongCell();
  }

  /**
   * Reads a whole plain cell at the scanner's position, with its value if its column is decoded. Returns whether it was
   * plain.
   */
  readPlain(rowDigits: number, columnsToDecode: ReadonlySet<number> | undefined): boolean {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    const plain = this.#plain;
    const next = readPlainCell(bytes, scanner.place(), rowDigits, plain);
    if (next === 0) return false;
    this.column = plain.column;
    if (columnsToDecode && !columnsToDecode.has(plain.column)) {
      scanner.seek(next, 0);
      return true;
    }
    this.#kind = kindOfLetter(plain.kind);
    this.#isUnsaved = false;
    if (this.#kind === "shared") this.#index = plain.index;
    else {
      this.#format = this.#formats[plain.style];
      this.#text = scanner.latin1(plain.from, plain.to);
      this.#exact =
        this.#kind === "number" && this.#format === undefined && isVerbatimNumber(bytes, plain.from, plain.to);
    }
    scanner.seek(next, 0);
    return true;
  }

  /** Returns the value as text. Throws SheetError for a shared string that does not exist. */
  value(): string {
    if (this.#isUnsaved && this.#text === "") return unsavedFormula;
    switch (this.#kind) {
      case "shared":
        if (this.#index < 0) return "";
        if (this.#strings === undefined) throw damagedSheet("missing shared text");
        return this.#strings.get(this.#index);
      case "number":
        return this.#exact ? this.#text : formatNumberAs(this.#format, this.#text);
      case "boolean":
        return formatCellBoolean(this.#text);
      default:
        return this.#text;
    }
  }

  /** Returns the column of a reference, from 0: 2 for `C5`. */
  #readColumn(slot: number): number {
    const { bytes } = this.#scanner;
    const to = this.#scanner.attributeTo(slot);
    let at = this.#scanner.attributeFrom(slot);
    let column = 0;
    for (; at < to && column < 1e6; at += 1) {
      const letter = (bytes[at] ?? 0) - 64;
      if (!(letter >= 1 && letter <= 26)) break;
      column = column * 26 + letter;
    }
    if (column === 0) throw damagedSheet("cell without a reference");
    return column - 1;
  }
}

/** Returns `number` with the digits appended. Throws SheetError for anything but digits. */
export function appendDigits(number: number, bytes: Uint8Array, from: number, to: number): number {
  let sum = number;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (!(digit >= 0 && digit <= 9)) throw damagedSheet("invalid number");
    sum = sum * 10 + digit;
  }
  return sum;
}

function kindOf(bytes: Buffer, from: number, to: number): CellKind {
  if (to - from === 1) return kindOfLetter(bytes[from] ?? 0);
  const name = bytes.toString("latin1", from, to);
  if (name === "str") return "verbatim";
  if (name === "inlineStr") return "inline";
  throw unknownKind();
}

/** ECMA-376 part 1, 18.18.11 (ST_CellType); a plain cell passes `i` for `inlineStr`. */
function kindOfLetter(letter: number): CellKind {
  switch (letter) {
    case 115: // s
      return "shared";
    case 110: // n
      return "number";
    case 105: // i
      return "inline";
    case 98: // b
      return "boolean";
    case 100: // d
    case 101: // e
      return "verbatim";
    default:
      throw unknownKind();
  }
}

function unknownKind() {
  return damagedSheet("unknown cell type");
}
