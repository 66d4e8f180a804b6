import { SheetError } from "./sheet-error.ts";
import { decodeText } from "./text/codec.ts";

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const tab = 9;
const space = 32;
const byteOrderMark = Buffer.from("\ufeff");
const maxRecordBytes = 1024 * 1024;
const maxColumns = 2_000;
/** The bytes from which the delimiter and the line end are detected. */
const sampleBytes = 64 * 1024;
/** The lines above a table that are skipped to find its delimiter. */
const maxTitleLines = 10;
/** The lines with delimiters that are compared: a title may have some, too. */
const comparedLines = 5;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * `line` is the record's first line, from 1; `count` is the number of its cells, including columns that are not
 * decoded.
 */
type OnRecord = (cells: string[], line: number, count: number) => void;

/** Processes records itself, faster than the scanner splits them, as far as it can. */
export type RecordFastPath = {
  /** Prepares bytes that contain whole records. Returns false when it cannot process them. */
  load: (bytes: Buffer, split: { delimiter: number; lineEnd: number }) => boolean;
  /**
   * Processes records of one line each from `position` on. Returns the position of the first record that it cannot
   * process.
   */
  scanRows: (position: number) => { position: number; records: number };
};

/**
 * Splits UTF-8 text, with or without a byte-order mark, into records as it arrives: `, ; tab |` as found in the first
 * lines, quotes with line breaks in them, `\n`, `\r\n` or `\r`, of which `\r` may be among the others. Quotes that
 * don't enclose their cell are part of it. A cell that is not valid UTF-8 is decoded as Windows-1252. Only the columns
 * in `columnsToDecode` are decoded; the others are undefined in the record. Throws SheetError for a record that is too
 * long or has too many cells.
 */
export class CsvScanner {
  columnsToDecode: ReadonlySet<number> | undefined;
  /** The number of decoded cells that were not valid UTF-8. */
  damagedCells = 0;
  /** Gets the records first; the scanner splits those that it cannot process. */
  fastPath: RecordFastPath | undefined;
  /** Starts with the bytes that are not split yet. One buffer serves the whole file, to spare the garbage collector. */
  private buffer = Buffer.alloc(0);
  private filled = 0;
  private delimiter = 0;
  private lineEnd = lineFeed;
  private line = 1;
  private count = 0;
  /** The current record's offsets in the buffer. */
  private recordFrom = 0;
  private recordTo = 0;
  private readonly onRecord: OnRecord;

  constructor(onRecord: OnRecord) {
    this.onRecord = onRecord;
  }

  push(chunk: Buffer): void {
    const needed = this.filled + chunk.length;
    if (needed > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buffer.length));
      this.buffer.copy(larger, 0, 0, this.filled);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.filled);
    this.filled = needed;
    if (this.delimiter === 0 && this.filled < sampleBytes) return;
    this.scan(false);
  }

  end(): void {
    this.scan(true);
  }

  /**
   * Whether the current record has more than delimiters, quotes and spaces, in columns that are not decoded as well.
   */
  recordHasContent(): boolean {
    let isAscii = true;
    for (let index = this.recordFrom; index < this.recordTo; index += 1) {
      const byte = this.buffer[index] ?? 0;
      if (byte > 127) isAscii = false;
      else if (byte > 32 && byte !== quote && byte !== this.delimiter) return true;
    }
    if (isAscii) return false;
    // Spaces such as the non-breaking one are more than one byte.
    const { text } = decodeCell(this.buffer.subarray(this.recordFrom, this.recordTo));
    return text.replaceAll(/[\s"]/g, "").replaceAll(String.fromCharCode(this.delimiter), "") !== "";
  }

  private scan(last: boolean): void {
    const bytes = this.buffer.subarray(0, this.filled);
    const isFirst = this.delimiter === 0;
    if (isFirst) this.detectSeparators(bytes);
    // After the byte-order mark, so that a quote behind it opens the first cell.
    let position = isFirst && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
    let nextQuote = bytes.indexOf(quote);
    let returnAt = nextReturn(bytes, position);
    let loaded: boolean | undefined;
    while (position < bytes.length) {
      loaded ??= this.fastPath?.load(bytes, { delimiter: this.delimiter, lineEnd: this.lineEnd });
      if (this.fastPath && loaded) {
        const processed = this.fastPath.scanRows(position);
        this.line += processed.records;
        position = processed.position;
        if (position >= bytes.length) break;
      }
      if (nextQuote >= 0 && nextQuote < position) nextQuote = bytes.indexOf(quote, position);
      if (returnAt >= 0 && returnAt < position) returnAt = nextReturn(bytes, position);
      let end = bytes.indexOf(this.lineEnd, position);
      if (returnAt >= 0 && (end < 0 || returnAt < end)) end = returnAt;
      const quoted = nextQuote >= 0 && (end < 0 || nextQuote < end);
      if (quoted) end = this.endOfQuoted(bytes, position, last);
      if (end < 0 && !last) break;
      if (end < 0) end = bytes.length;
      this.checkLength(end - position);
      const cells = quoted ? this.splitQuoted(bytes, position, end) : this.splitPlain(bytes, position, end);
      this.recordFrom = position;
      this.recordTo = end;
      this.onRecord(cells, this.line, this.count);
      this.line += quoted ? 1 + countLines(bytes, position, end, this.lineEnd) : 1;
      position = end + 1;
    }
    this.filled = Math.max(0, bytes.length - position);
    bytes.copyWithin(0, position);
    this.checkLength(this.filled - sampleBytes);
  }

  private checkLength(length: number): void {
    if (length > maxRecordBytes) {
      throw new SheetError(
        "too_long_cell",
        `Line ${this.line} is longer than 1 MB. It may have an unclosed quote. Fix the line and upload the file again.`,
      );
    }
  }

  private detectSeparators(bytes: Buffer): void {
    const sample = bytes.subarray(0, sampleBytes);
    if (endsLinesWithReturns(sample)) this.lineEnd = carriageReturn;
    const named = /^(?:\xef\xbb\xbf)?"?sep=([\t;|,])"?\r?[\n\r]/i.exec(sample.toString("latin1", 0, 16))?.[1];
    if (named) {
      this.delimiter = named.charCodeAt(0);
      return;
    }
    this.delimiter = chooseDelimiter(linesWithDelimiters(sample, this.lineEnd)).charCodeAt(0);
  }

  private endsLine(bytes: Buffer, index: number): boolean {
    return bytes[index] === this.lineEnd || isReturnAlone(bytes, index);
  }

  /**
   * Returns the end of the record that begins at `from`, or -1 when more bytes are needed. With a quote that is never
   * closed the record ends with the line, so that the quote does not hide the records below it.
   */
  private endOfQuoted(bytes: Buffer, from: number, last: boolean): number {
    let inside = false;
    let start = true;
    let closedAt = -1;
    /** The first line end of the current cell in quotes. */
    let firstLineEnd = -1;
    for (let index = from; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (inside) {
        if (firstLineEnd < 0 && this.endsLine(bytes, index)) firstLineEnd = index;
        if (byte !== quote) continue;
        if (firstLineEnd >= 0 && (this.opensCell(bytes, index) || this.isWithinCell(bytes, index))) return firstLineEnd;
        inside = false;
        closedAt = index;
        continue;
      }
      // A quote counts at the start of a cell, and right after one that closed (a doubled quote).
      const isDoubled = closedAt >= 0 && closedAt === index - 1;
      if (byte === quote && (start || isDoubled)) {
        inside = true;
        if (!isDoubled) firstLineEnd = -1;
      } else if (this.endsLine(bytes, index)) return index;
      start = byte === this.delimiter || (start && byte === space);
    }
    return last && inside ? firstLineEnd : -1;
  }

  /**
   * Whether the quote at `index` can only open a cell: it follows a delimiter or a line end, and content follows it.
   */
  private opensCell(bytes: Buffer, index: number): boolean {
    const [before, after] = [bytes[index - 1], bytes[index + 1]];
    if (before !== this.delimiter && !this.endsLine(bytes, index - 1)) return false;
    return after !== undefined && after > 32 && after !== quote && after !== this.delimiter;
  }

  /**
   * Whether the quote at `index` of text with tabs is part of a cell, such as `12" frame`: many programs, such as
   * Amazon's reports, write such text without quotes around cells.
   */
  private isWithinCell(bytes: Buffer, index: number): boolean {
    if (this.delimiter !== tab) return false;
    let at = index + 1;
    while (bytes[at] === space) at += 1;
    return (
      at < bytes.length &&
      bytes[at] !== quote &&
      bytes[at] !== tab &&
      bytes[at] !== carriageReturn &&
      !this.endsLine(bytes, at)
    );
  }

  private splitPlain(bytes: Buffer, from: number, to: number): string[] {
    const end = withoutReturns(bytes, from, to);
    const cells: string[] = [];
    let start = from;
    let column = 0;
    for (let index = from; index < end; index += 1) {
      if (bytes[index] !== this.delimiter) continue;
      if (!this.columnsToDecode || this.columnsToDecode.has(column)) cells[column] = this.decode(bytes, start, index);
      column += 1;
      start = index + 1;
    }
    if (!this.columnsToDecode || this.columnsToDecode.has(column)) cells[column] = this.decode(bytes, start, end);
    this.count = column + 1;
    if (this.count > maxColumns) throw tooManyColumns();
    return cells;
  }

  private splitQuoted(bytes: Buffer, from: number, to: number): string[] {
    const end = withoutReturns(bytes, from, to);
    const cells: string[] = [];
    let column = 0;
    for (let index = from; index <= end; column += 1) {
      const start = skipSpaces(bytes, index, end);
      const isQuoted = start < end && bytes[start] === quote;
      const closing = isQuoted ? closingQuote(bytes, start, end) : index;
      let stop = this.endOfCell(bytes, closing, end);
      const isEnclosed = isQuoted && closing < end && isBlank(bytes, closing + 1, stop);
      // With tabs, quotes are a program's own only where they enclose a cell.
      if (isQuoted && !isEnclosed && this.delimiter === tab) stop = this.endOfCell(bytes, index, end);
      const isUnclosed = isQuoted && closing === end && this.delimiter !== tab;
      if (!this.columnsToDecode || this.columnsToDecode.has(column)) {
        cells[column] =
          isEnclosed || isUnclosed
            ? this.decode(bytes, start + 1, closing).replaceAll('""', '"')
            : this.decode(bytes, index, stop);
      }
      index = stop + 1;
    }
    this.count = column;
    if (this.count > maxColumns) throw tooManyColumns();
    return cells;
  }

  /** Returns the next delimiter, or `end`. */
  private endOfCell(bytes: Buffer, from: number, end: number): number {
    let at = from;
    while (at < end && bytes[at] !== this.delimiter) at += 1;
    return at;
  }

  private decode(bytes: Buffer, from: number, to: number): string {
    for (let index = from; index < to; index += 1) {
      if ((bytes[index] ?? 0) < 128) continue;
      const { text, isDamaged } = decodeCell(bytes.subarray(from, to));
      if (isDamaged) this.damagedCells += 1;
      return text;
    }
    return bytes.toString("latin1", from, to);
  }
}

function decodeCell(bytes: Buffer): { text: string; isDamaged: boolean } {
  try {
    return { text: utf8.decode(bytes), isDamaged: false };
  } catch {
    return { text: decodeText(bytes, "windows-1252"), isDamaged: true };
  }
}

function skipSpaces(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === space) at += 1;
  return at;
}

/**
 * Whether there are only spaces and tabs: some programs put a tab behind a number, so that spreadsheets take it for
 * text.
 */
function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== space && bytes[at] !== tab) return false;
  return true;
}

/** Returns the quote that closes the one at `start`, or `end`; doubled quotes are part of the cell. */
function closingQuote(bytes: Buffer, start: number, end: number): number {
  let at = start + 1;
  while (at < end && !(bytes[at] === quote && bytes[at + 1] !== quote)) at += bytes[at] === quote ? 2 : 1;
  return Math.min(at, end);
}

/** Returns the first carriage return from `from` on that ends a line by itself, or -1. */
function nextReturn(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(carriageReturn, from);
  while (at >= 0 && !isReturnAlone(bytes, at)) at = bytes.indexOf(carriageReturn, at + 1);
  return at;
}

/** Whether the byte is a carriage return that belongs to no line feed. */
function isReturnAlone(bytes: Buffer, index: number): boolean {
  if (bytes[index] !== carriageReturn) return false;
  // Line ends that were converted twice have two carriage returns before their line feed.
  const after = bytes[index + 1] === carriageReturn ? bytes[index + 2] : bytes[index + 1];
  // What follows the last byte is not known yet.
  return after !== undefined && after !== lineFeed;
}

/** Returns the end of a record without the carriage returns before its line feed. */
function withoutReturns(bytes: Buffer, from: number, to: number): number {
  let end = to;
  while (end > from && bytes[end - 1] === carriageReturn) end -= 1;
  return end;
}

/** The comma is last, and wins when a line has as many of another. */
const delimiters = ["\t", ";", "|", ","] as const;
type Delimiter = (typeof delimiters)[number];
/** A line, and how many of each delimiter it has outside of quotes. */
type CountedLine = { text: string; counts: Record<Delimiter, number> };

/**
 * Returns the first lines that have delimiters, at most `comparedLines`. A line without one is a title, or the name of
 * the only column.
 */
function linesWithDelimiters(sample: Buffer, lineEnd: number): CountedLine[] {
  const found: CountedLine[] = [];
  let counts = newCounts();
  let inside = false;
  let lines = 0;
  let start = 0;
  for (let index = 0; index <= sample.length; index += 1) {
    const byte = sample[index];
    if (byte === quote) inside = !inside;
    else if (byte === undefined || (!inside && (byte === lineEnd || isReturnAlone(sample, index)))) {
      lines += 1;
      if (delimiters.some((one) => counts[one] > 0)) {
        found.push({ text: sample.toString("latin1", start, index), counts });
        counts = newCounts();
      }
      start = index + 1;
      if (found.length === comparedLines || lines === (found.length > 0 ? 2 : 1) * maxTitleLines) break;
    } else if (!inside) {
      const delimiter = delimiters.find((one) => one.charCodeAt(0) === byte);
      if (delimiter) counts[delimiter] += 1;
    }
  }
  return found;
}

function newCounts(): CountedLine["counts"] {
  return { "\t": 0, ";": 0, "|": 0, ",": 0 };
}

/**
 * Returns the delimiter that the first line has most of. That line is a title, such as "Acme, Inc.", when the next one
 * has none of it and is a header of another delimiter, of which all others have as many.
 */
function chooseDelimiter([first, second, ...others]: readonly CountedLine[]): Delimiter {
  const chosen = mostFrequent(first?.counts ?? newCounts());
  if (!second || second.counts[chosen] > 0 || others.length === 0) return chosen;
  const below = mostFrequent(second.counts);
  const isTable = others.every(({ counts }) => counts[below] === second.counts[below]);
  return isTable && isHeader(second.text.split(below)) ? below : chosen;
}

function mostFrequent(counts: CountedLine["counts"]): Delimiter {
  return delimiters.reduce((best, one) => (counts[one] >= counts[best] ? one : best));
}

/** Whether cells are different names, and neither values nor empty. */
function isHeader(cells: readonly string[]): boolean {
  const isName = (cell: string) => /[a-z\x80-\xff]/i.test(cell) && !cell.includes("@");
  return cells.every(isName) && new Set(cells).size === cells.length;
}

/**
 * Whether lines end with carriage returns alone, as in old files of the Mac; their cells may have line feeds, in
 * quotes.
 */
function endsLinesWithReturns(sample: Buffer): boolean {
  if (sample.indexOf(carriageReturn) < 0) return false;
  if (sample.indexOf(lineFeed) < 0) return true;
  let inside = false;
  let found = false;
  for (const [index, byte] of sample.entries()) {
    if (byte === quote) inside = !inside;
    else if (inside) continue;
    else if (byte === lineFeed) return false;
    else if (byte === carriageReturn && index + 1 < sample.length && sample[index + 1] !== lineFeed) found = true;
  }
  return found;
}

function tooManyColumns(): SheetError {
  return new SheetError(
    "too_many_columns",
    `The file has more than ${maxColumns.toLocaleString("en-US")} columns. Remove the ones you don't need.`,
  );
}

function countLines(bytes: Buffer, from: number, to: number, lineEnd: number): number {
  let lines = 0;
  for (let index = bytes.indexOf(lineEnd, from); index >= 0 && index < to; index = bytes.indexOf(lineEnd, index + 1))
    lines += 1;
  return lines;
}
