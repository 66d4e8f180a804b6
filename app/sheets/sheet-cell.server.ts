import { readableBoolean, readableNumber, standsAsItIs } from "./cell-values.ts";
import { type PlainCell, readPlainCell } from "./plain-cell.ts";
import type { SharedStrings } from "./shared-strings.server.ts";
import { damaged, tooLongCell } from "./sheet-error.ts";
import type { XmlScanner } from "./xml-scanner.server.ts";
import { decodeSpreadsheetEscapes } from "./xml-text.ts";

type CellKind = "number" | "shared" | "boolean" | "inline" | "as_it_is";

/** Formatted text and comments can put one cell together from many pieces. */
const longestValue = 256 * 1024;

/** The cell that is being read, its value piece by piece. */
export class SheetCell {
  /** From 0; -1 before the first of a row. */
  column = -1;
  #kind: CellKind = "number";
  #text = "";
  #index = -1;
  /** The number's text is what a person would read. */
  #exact = true;
  readonly #plain: PlainCell = { column: 0, kind: 0, index: 0, from: 0, to: 0 };
  readonly #scanner: XmlScanner;
  readonly #strings: SharedStrings | undefined;

  constructor(scanner: XmlScanner, strings: SharedStrings | undefined) {
    this.#scanner = scanner;
    this.#strings = strings;
  }

  get isInline(): boolean {
    return this.#kind === "inline";
  }

  /** From the scanner's current tag. */
  start(): void {
    const scanner = this.#scanner;
    const place = scanner.findAttribute("r");
    this.column = place < 0 ? this.column + 1 : this.#columnOf(place);
    const type = scanner.findAttribute("t");
    const [from, to] = [scanner.attributeFrom(type), scanner.attributeTo(type)];
    this.#kind = type < 0 ? "number" : kindOf(scanner.bytes, from, to);
    this.#text = "";
    this.#index = -1;
    this.#exact = false;
  }

  /** From the scanner's current text, which belongs to the value. */
  addText(): void {
    const scanner = this.#scanner;
    if (this.#kind === "shared") {
      this.#index = withDigits(Math.max(this.#index, 0), scanner.bytes, scanner.from, scanner.to);
      return;
    }
    const text = scanner.mayEscape ? decodeSpreadsheetEscapes(scanner.text()) : scanner.text();
    this.#text = this.#text === "" ? text : this.#text + text;
    if (this.#text.length > longestValue) throw tooLongCell();
  }

  /** Reads a whole cell from the scanner's place when it is a plain one; its value only when its column is wanted. */
  readPlain(rowDigits: number, wanted: ReadonlySet<number> | undefined): boolean {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    const plain = this.#plain;
    const next = readPlainCell(bytes, scanner.place(), rowDigits, plain);
    if (next === 0) return false;
    this.column = plain.column;
    if (wanted && !wanted.has(plain.column)) {
      scanner.goOnAt(next, 0);
      return true;
    }
    this.#kind = kindOfLetter(plain.kind);
    if (this.#kind === "shared") this.#index = plain.index;
    else {
      this.#text = scanner.latin1(plain.from, plain.to);
      this.#exact = this.#kind === "number" && standsAsItIs(bytes, plain.from, plain.to);
    }
    scanner.goOnAt(next, 0);
    return true;
  }

  value(): string {
    switch (this.#kind) {
      case "shared":
        if (this.#index < 0) return "";
        if (this.#strings === undefined) throw damaged("a cell that refers to a text which is not there");
        return this.#strings.get(this.#index);
      case "number":
        return this.#exact ? this.#text : readableNumber(this.#text);
      case "boolean":
        return readableBoolean(this.#text);
      default:
        return this.#text;
    }
  }

  /** `C5` is column 2. Which row it names is the row's business. */
  #columnOf(slot: number): number {
    const { bytes } = this.#scanner;
    const to = this.#scanner.attributeTo(slot);
    let at = this.#scanner.attributeFrom(slot);
    let column = 0;
    for (; at < to && column < 1e6; at += 1) {
      const letter = (bytes[at] ?? 0) - 64;
      if (!(letter >= 1 && letter <= 26)) break;
      column = column * 26 + letter;
    }
    if (column === 0) throw damaged("a cell without a place");
    return column - 1;
  }
}

/** `number` with more digits behind it. */
export function withDigits(number: number, bytes: Uint8Array, from: number, to: number): number {
  let sum = number;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (!(digit >= 0 && digit <= 9)) throw damaged("something else where a whole number belongs");
    sum = sum * 10 + digit;
  }
  return sum;
}

function kindOf(bytes: Buffer, from: number, to: number): CellKind {
  if (to - from === 1) return kindOfLetter(bytes[from] ?? 0);
  const name = bytes.toString("latin1", from, to);
  if (name === "str") return "as_it_is";
  if (name === "inlineStr") return "inline";
  throw unknownKind();
}

/** ECMA-376 part 1, 18.18.11 (ST_CellType); `i` is how a plain cell's `inlineStr` arrives. */
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
      return "as_it_is";
    default:
      throw unknownKind();
  }
}

function unknownKind() {
  return damaged("a cell of an unknown kind");
}
