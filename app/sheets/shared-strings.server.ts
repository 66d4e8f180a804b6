import { isLoneUnderscore, lookaheadBytes, matchesAt } from "./plain-bytes.ts";
import { damagedSheet, tooLargeUnpacked, tooLongCell } from "./sheet-error.ts";
import type { SheetLimits } from "./sheet-types.ts";
import { byteClass } from "./xml-bytes.ts";
import { shortNameCode, token, XmlScanner } from "./xml-scanner.server.ts";
import { decodeSpreadsheetEscapes } from "./xml-text.ts";

/** V8 stores strings of this size outside its own heap. */
const blockSize = 1024 * 1024;
const maxTextBytes = 256 * 1024;
const indexBlock = 64 * 1024;
const wideFlag = 0x80000000;
const bytesPerEntry = 8;
const LT = 60;

/**
 * The workbook's table of shared strings, stored as a few large strings of one byte per character and an index of
 * offsets. It needs about a third of the memory of an array of strings, and a text is sliced out without a copy.
 */
export class SharedStrings {
  count = 0;
  #blocks: string[] = [];
  #block = Buffer.allocUnsafeSlow(blockSize);
  #start = 0;
  #used = 0;
  #wide = false;
  #index: Uint32Array[] = [];
  #size = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Appends UTF-8 bytes to the current text; `wide` when some are not ASCII. Throws SheetError for a text that is too
   * long.
   */
  append(bytes: Uint8Array, from: number, to: number, wide: boolean): void {
    const length = to - from;
    if (this.#used + length > blockSize) this.#nextBlock(length);
    const block = this.#block;
    for (let at = from, place = this.#used; at < to; at += 1, place += 1) block[place] = bytes[at] ?? 0;
    this.#used += length;
    if (wide) this.#wide = true;
  }

  /**
   * Appends the bytes up to the next tag if all of them are plain, in one pass. Returns the offset of the tag, or 0
   * when nothing was appended.
   */
  appendPlain(bytes: Uint8Array, from: number, last: number): number {
    if (this.#used + maxTextBytes > blockSize) this.#nextBlock(0);
    const block = this.#block;
    const end = Math.min(last, from + maxTextBytes);
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

  /** Discards the current text. */
  discard(): void {
    this.#used = this.#start;
  }

  /** Ends the current text. Throws SheetError when the table exceeds its limit. */
  close(): void {
    const length = this.#used - this.#start;
    this.#size += length + bytesPerEntry;
    if (this.#size > this.#maxBytes) throw tooLargeUnpacked();
    const slot = (this.count % indexBlock) * 2;
    if (slot === 0) this.#index.push(new Uint32Array(indexBlock * 2));
    const index = this.#index.at(-1);
    if (index === undefined) throw new Error("shared strings without an index block");
    index[slot] = this.#blocks.length * blockSize + this.#start;
    index[slot + 1] = this.#wide ? length + wideFlag : length;
    this.count += 1;
    this.#start = this.#used;
    this.#wide = false;
  }

  /** Ends the table; no text can be added afterwards. */
  freeze(): void {
    this.#blocks.push(this.#block.toString("latin1", 0, this.#used));
    this.#block = Buffer.alloc(0);
  }

  /** Returns the text at an index. Throws SheetError when there is none. */
  get(number: number): string {
    const index = this.#index[Math.floor(number / indexBlock)];
    if (!(number < this.count) || index === undefined) throw damagedSheet("missing shared text");
    const slot = (number % indexBlock) * 2;
    const place = index[slot] ?? 0;
    const flagged = index[slot + 1] ?? 0;
    const length = flagged >= wideFlag ? flagged - wideFlag : flagged;
    const start = place % blockSize;
    const bytes = (this.#blocks[(place - start) / blockSize] ?? "").slice(start, start + length);
    return flagged >= wideFlag ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
  }

  /** Moves the current text to a new block, because no text crosses two blocks. */
  #nextBlock(more: number): void {
    const written = this.#used - this.#start;
    if (written + more > maxTextBytes) throw tooLongCell();
    this.#blocks.push(this.#block.toString("latin1"));
    this.#block.copyWithin(0, this.#start, this.#used);
    this.#start = 0;
    this.#used = written;
  }
}

const names = { t: shortNameCode("t"), r: shortNameCode("r") };

/**
 * Reads `<sst><si><t>text</t></si>…`; formatted runs are joined, phonetic hints (`rPh`) are skipped. Throws SheetError.
 */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>, limits: SheetLimits): Promise<SharedStrings> {
  const strings = new SharedStrings(limits.sharedStringBytes);
  const scanner = new XmlScanner();
  let inRun = false;
  let inText = false;
  for await (const piece of pieces) {
    scanner.feed(piece);
    for (;;) {
      if (scanner.depth === 1 && !scanner.atEmptyElement) readPlainTexts(strings, scanner);
      const kind = scanner.next();
      if (kind === token.need) break;
      const depth = scanner.depth;
      if (kind === token.text) {
        if (inText) appendText(strings, scanner);
      } else if (kind === token.start) {
        if (depth === 3) inRun = scanner.shortName === names.r;
        if (depth === 3 || (depth === 4 && inRun)) inText = scanner.shortName === names.t;
      } else {
        inText = false;
        if (depth === 1) strings.close();
      }
    }
  }
  scanner.requireComplete();
  strings.freeze();
  return strings;
}

const opening = Buffer.from("<si><t>");
const closing = Buffer.from("</t></si>");

/** Reads texts in the form that common programs write, without the scanner. */
function readPlainTexts(strings: SharedStrings, scanner: XmlScanner): void {
  const { bytes } = scanner;
  const last = bytes.length - lookaheadBytes;
  for (let at = scanner.place(); at < last && matchesAt(bytes, at, opening); at = scanner.place()) {
    const from = at + opening.length;
    const to = strings.appendPlain(bytes, from, last);
    if (to === 0 || !matchesAt(bytes, to, closing)) {
      strings.discard();
      return;
    }
    strings.close();
    scanner.seek(to + closing.length, 0);
  }
}

function appendText(strings: SharedStrings, scanner: XmlScanner): void {
  if (scanner.plain && !scanner.hasUnderscore) {
    strings.append(scanner.bytes, scanner.from, scanner.to, false);
    return;
  }
  const bytes = Buffer.from(decodeSpreadsheetEscapes(scanner.text()));
  strings.append(bytes, 0, bytes.length, !scanner.plain || bytes.some((byte) => byte > 127));
}
