import { isLoneUnderscore, isThere, margin } from "./plain-bytes.ts";
import { damaged, tooLargeUnpacked, tooLongCell } from "./sheet-error.ts";
import type { SheetLimits } from "./sheet-reading.ts";
import { byteClass } from "./xml-bytes.ts";
import { shortCode, token, XmlScanner } from "./xml-scanner.server.ts";
import { decodeSpreadsheetEscapes } from "./xml-text.ts";

/** A little over what the engine needs to keep a string outside of its own heap. */
const blockSize = 1024 * 1024;
const longestText = 256 * 1024;
const indexBlock = 64 * 1024;
const wideFlag = 0x80000000;
const bytesPerEntry = 8;
const LT = 60;

/**
 * The workbook's table of texts, kept as a few large strings of one byte a character and an index of places: about a
 * third of what an array of strings would take, and a text is cut out without a copy.
 */
export class SharedStrings {
  count = 0;
  #sealed: string[] = [];
  #block = Buffer.allocUnsafeSlow(blockSize);
  #start = 0;
  #used = 0;
  #wide = false;
  #index: Uint32Array[] = [];
  #kept = 0;
  readonly #maxKept: number;

  constructor(maxKept: number) {
    this.#maxKept = maxKept;
  }

  /** Adds bytes of UTF-8 to the text that is being written. */
  append(bytes: Uint8Array, from: number, to: number, wide: boolean): void {
    const length = to - from;
    if (this.#used + length > blockSize) this.#nextBlock(length);
    const block = this.#block;
    for (let at = from, place = this.#used; at < to; at += 1, place += 1) block[place] = bytes[at] ?? 0;
    this.#used += length;
    if (wide) this.#wide = true;
  }

  /**
   * Adds the bytes up to the next tag if all of them are plain ones, looking at each only once. The place of the tag,
   * or 0 when nothing was added.
   */
  appendPlain(bytes: Uint8Array, from: number, last: number): number {
    if (this.#used + longestText > blockSize) this.#nextBlock(0);
    const block = this.#block;
    const end = Math.min(last, from + longestText);
    let place = this.#used;
    for (let at = from; at < end; at += 1, place += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === LT) {
        this.#used = place;
        return at;
      }
      if (byteClass[byte] !== 0 && !isLoneUnderscore(bytes, at)) return 0;
      block[place] = byte;
    }
    return 0;
  }

  /** Forgets the text that is being written. */
  drop(): void {
    this.#used = this.#start;
  }

  /** Ends the text that is being written. */
  close(): void {
    const length = this.#used - this.#start;
    this.#kept += length + bytesPerEntry;
    if (this.#kept > this.#maxKept) throw tooLargeUnpacked();
    const slot = (this.count % indexBlock) * 2;
    if (slot === 0) this.#index.push(new Uint32Array(indexBlock * 2));
    const index = this.#index.at(-1);
    if (index === undefined) throw new Error("no index");
    index[slot] = this.#sealed.length * blockSize + this.#start;
    index[slot + 1] = this.#wide ? length + wideFlag : length;
    this.count += 1;
    this.#start = this.#used;
    this.#wide = false;
  }

  /** No text can be added after it. */
  seal(): void {
    this.#sealed.push(this.#block.toString("latin1", 0, this.#used));
    this.#block = Buffer.alloc(0);
  }

  /** The text of that number; damaged when there is none. */
  get(number: number): string {
    const index = this.#index[Math.floor(number / indexBlock)];
    if (!(number < this.count) || index === undefined) throw damaged("a cell that refers to a text which is not there");
    const slot = (number % indexBlock) * 2;
    const place = index[slot] ?? 0;
    const flagged = index[slot + 1] ?? 0;
    const length = flagged >= wideFlag ? flagged - wideFlag : flagged;
    const start = place % blockSize;
    const bytes = (this.#sealed[(place - start) / blockSize] ?? "").slice(start, start + length);
    return flagged >= wideFlag ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
  }

  /** A text never crosses two blocks: what is written of it moves on. */
  #nextBlock(more: number): void {
    const begun = this.#used - this.#start;
    if (begun + more > longestText) throw tooLongCell();
    this.#sealed.push(this.#block.toString("latin1"));
    this.#block.copyWithin(0, this.#start, this.#used);
    this.#start = 0;
    this.#used = begun;
  }
}

const names = { t: shortCode("t"), r: shortCode("r") };

/** Reads `<sst><si><t>text</t></si>…`; texts of several formats are joined, phonetic hints (`rPh`) left out. */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>, limits: SheetLimits): Promise<SharedStrings> {
  const strings = new SharedStrings(limits.keptBytes);
  const scanner = new XmlScanner();
  let inRun = false;
  let inText = false;
  for await (const piece of pieces) {
    scanner.feed(piece);
    for (;;) {
      if (scanner.depth === 1 && !scanner.atEmptyElement) readPlainTexts(strings, scanner);
      const found = scanner.next();
      if (found === token.need) break;
      const depth = scanner.depth;
      if (found === token.text) {
        if (inText) appendText(strings, scanner);
      } else if (found === token.start) {
        if (depth === 3) inRun = scanner.shortName === names.r;
        if (depth === 3 || (depth === 4 && inRun)) inText = scanner.shortName === names.t;
      } else {
        inText = false;
        if (depth === 1) strings.close();
      }
    }
  }
  scanner.refuseUnfinished();
  strings.seal();
  return strings;
}

const opening = Buffer.from("<si><t>");
const closing = Buffer.from("</t></si>");

/** The texts that are written as most are, and need no scanner. */
function readPlainTexts(strings: SharedStrings, scanner: XmlScanner): void {
  const { bytes } = scanner;
  const last = bytes.length - margin;
  for (let at = scanner.place(); at < last && isThere(bytes, at, opening); at = scanner.place()) {
    const from = at + opening.length;
    const to = strings.appendPlain(bytes, from, last);
    if (to === 0 || !isThere(bytes, to, closing)) {
      strings.drop();
      return;
    }
    strings.close();
    scanner.goOnAt(to + closing.length, 0);
  }
}

function appendText(strings: SharedStrings, scanner: XmlScanner): void {
  if (scanner.plain && !scanner.mayEscape) {
    strings.append(scanner.bytes, scanner.from, scanner.to, false);
    return;
  }
  const bytes = Buffer.from(decodeSpreadsheetEscapes(scanner.text()));
  strings.append(bytes, 0, bytes.length, !scanner.plain || bytes.some((byte) => byte > 127));
}
