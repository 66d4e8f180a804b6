import { isUtf8 } from "node:buffer";
import { damagedSheet, SheetError, tooLongCell } from "./sheet-error.ts";
import { byteClass, byteFlags, isNameEnd } from "./xml-bytes.ts";
import { decodeXmlText } from "./xml-text.ts";

/**
 * The kinds that `next` returns. `need`: feed more bytes first. An element without content is a start and then an end.
 */
export const token = { need: 0, start: 1, end: 2, text: 3 } as const;
export type Token = (typeof token)[keyof typeof token];

/** The limit of a tag, comment or text. A cell has at most 32,767 characters of up to seven bytes (`_x000D_`). */
const maxTokenBytes = 256 * 1024;
const windowSize = 4 * 1024;
const maxAttributes = 64;

const LT = 60;
const GT = 62;
const SLASH = 47;
const COLON = 58;
const EQUALS = 61;
const QUOTE = 34;
const APOSTROPHE = 39;

/**
 * Reads the XML of spreadsheets (UTF-8) piece by piece, several times as fast as a general parser because it creates
 * no strings or objects that are not requested. It supports XML 1.0 except document types, which it rejects, so that no
 * entity can be declared. Names are compared without their prefix, and tags are matched by depth alone. Throws
 * SheetError.
 */
export class XmlScanner {
  /** The number of open elements, including the one that just started. */
  depth = 0;
  /** The element's local name when it has at most three letters: their codes, the first one lowest; otherwise 0. */
  shortName = 0;
  /** The offsets in `bytes` of the current text, or of the local name of the current element. */
  from = 0;
  to = 0;
  /** The current text is ASCII without entities. */
  plain = true;
  /** The current text has an underscore, which may start a spreadsheet escape. */
  hasUnderscore = false;
  bytes: Buffer = Buffer.alloc(0);

  /** One buffer for all pieces of the document. */
  #work: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The offset of the current element's name with its prefix. */
  #tagFrom = 0;
  #emptyElement = false;
  #isCdata = false;
  #window = "";
  #windowFrom = 0;
  /** Four offsets for each attribute: start and end of its local name, start and end of its value. */
  #slots = new Int32Array(maxAttributes * 4);
  #attributeCount = 0;

  /** Adds a piece of the document after the bytes that are not read yet. */
  feed(piece: Buffer): void {
    const rest = this.bytes.subarray(this.#at);
    if (rest.length > maxTokenBytes) throw tooLongCell();
    const length = rest.length + piece.length;
    if (this.#work.length < length) this.#work = Buffer.concat([rest, piece, Buffer.alloc(maxTokenBytes)]);
    else {
      this.#work.set(rest);
      this.#work.set(piece, rest.length);
    }
    this.bytes = this.#work.subarray(0, length);
    this.#at = 0;
    this.#window = "";
    this.#windowFrom = 0;
  }

  /** Whether the position is between the start and the end of an element without content. */
  get atEmptyElement(): boolean {
    return this.#emptyElement;
  }

  /** Returns the offset in `bytes` of the next tag or text. */
  place(): number {
    return this.#at;
  }

  /** Continues at an offset up to which the caller has read; `deeper` is the change of depth. */
  seek(place: number, deeper: -1 | 0 | 1): void {
    this.#at = place;
    this.depth += deeper;
  }

  /** Call after the last piece. Throws SheetError for an incomplete document. */
  requireComplete(): void {
    if (this.depth > 0 || this.bytes.subarray(this.#at).some((byte) => byte > 32)) throw damagedSheet("truncated part");
  }

  next(): Token {
    if (this.#emptyElement) {
      this.#emptyElement = false;
      this.depth -= 1;
      return token.end;
    }
    const bytes = this.bytes;
    for (;;) {
      const at = this.#at;
      if (at >= bytes.length) return token.need;
      if (bytes[at] !== LT) return this.#text(at);
      const second = bytes[at + 1];
      if (second === SLASH) return this.#end(at);
      if (second === undefined) return token.need;
      if (second !== 33 && second !== 63) return this.#start(at);
      const found = this.#markup(at, second);
      if (found !== undefined) return found;
    }
  }

  /** Returns the current text with decoded entities. */
  text(): string {
    if (this.plain) return this.latin1(this.from, this.to);
    const raw = this.bytes.toString("utf8", this.from, this.to);
    return this.#isCdata ? raw.replace(/\r\n?/g, "\n") : decodeXmlText(raw);
  }

  /**
   * Bytes of `bytes` as characters of one byte each: cut from longer strings, since making each costs ten times as
   * much.
   */
  latin1(from: number, to: number): string {
    if (from < this.#windowFrom || to > this.#windowFrom + this.#window.length) {
      this.#windowFrom = from;
      this.#window = this.bytes.toString("latin1", from, Math.max(to, from + windowSize));
    }
    return this.#window.slice(from - this.#windowFrom, to - this.#windowFrom);
  }

  /** The local name of the current element. */
  name(): string {
    return this.bytes.toString("utf8", this.from, this.to);
  }

  /** The prefix of the current element's name; empty without one. */
  prefix(): string {
    return this.bytes.toString("utf8", this.#tagFrom, Math.max(this.#tagFrom, this.from - 1));
  }

  /**
   * The place of an attribute of the element just started, for `attributeFrom` and `attributeTo`, or -1. `name` is
   * the local one.
   */
  findAttribute(name: string): number {
    for (let slot = 0; slot < this.#attributeCount; slot += 1) {
      const from = this.#slots[slot * 4] ?? 0;
      if ((this.#slots[slot * 4 + 1] ?? 0) - from !== name.length) continue;
      let same = 0;
      while (same < name.length && this.bytes[from + same] === name.charCodeAt(same)) same += 1;
      if (same === name.length) return slot;
    }
    return -1;
  }

  attributeFrom(slot: number): number {
    return this.#slots[slot * 4 + 2] ?? 0;
  }

  attributeTo(slot: number): number {
    return this.#slots[slot * 4 + 3] ?? 0;
  }

  /** An attribute's value, decoded, or undefined. */
  attribute(name: string): string | undefined {
    const slot = this.findAttribute(name);
    if (slot < 0) return undefined;
    return decodeXmlText(this.bytes.toString("utf8", this.attributeFrom(slot), this.attributeTo(slot)));
  }

  #text(at: number): Token {
    const bytes = this.bytes;
    const length = bytes.length;
    let found = 0;
    let to = at;
    for (; to < length; to += 1) {
      const byte = bytes[to] ?? 0;
      if (byte === LT) break;
      found |= byteClass[byte] ?? 0;
    }
    if (to === length) return token.need;
    return this.#endText(at, to, to, found);
  }

  #endText(from: number, to: number, next: number, found: number): Token {
    if ((found & byteFlags.forbidden) !== 0) throw damagedSheet("invalid character");
    if ((found & byteFlags.nonAscii) !== 0 && !isUtf8(this.bytes.subarray(from, to)))
      throw damagedSheet("text that is not UTF-8");
    this.from = from;
    this.to = to;
    this.plain = (found & (byteFlags.nonAscii | byteFlags.needsDecoding)) === 0;
    this.hasUnderscore = (found & byteFlags.underscore) !== 0;
    this.#isCdata = next !== to;
    this.#at = next;
    return token.text;
  }

  #end(at: number): Token {
    const bytes = this.bytes;
    const length = bytes.length;
    let to = at + 2;
    while (to < length && bytes[to] !== GT) to += 1;
    if (to === length) return token.need;
    this.#at = to + 1;
    this.depth -= 1;
    if (this.depth < 0) throw damagedSheet("mismatched tags");
    return token.end;
  }

  #start(at: number): Token {
    const bytes = this.bytes;
    const length = bytes.length;
    let from = at + 1;
    let to = from;
    let name = 0;
    for (; to < length; to += 1) {
      const byte = bytes[to] ?? 0;
      if (byte <= 32 || byte === GT || byte === SLASH) break;
      if (byte === COLON) {
        from = to + 1;
        name = 0;
      } else name |= byte << ((to - from) * 8);
    }
    if (to === from && to < length) throw damagedSheet("a tag without a name");
    const end = this.#readAttributes(to);
    if (end < 0) return token.need;
    this.from = from;
    this.to = to;
    this.#tagFrom = at + 1;
    this.shortName = to - from <= 3 ? name : 0;
    this.#emptyElement = bytes[end - 2] === SLASH;
    this.#at = end;
    this.depth += 1;
    return token.start;
  }

  /** Records the offsets of the attributes. Returns the offset after the tag, or -1 when more bytes are needed. */
  #readAttributes(start: number): number {
    const { bytes } = this;
    const slots = this.#slots;
    const length = bytes.length;
    let count = 0;
    for (let at = start; at < length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte <= 32) continue;
      if (byte === GT || byte === SLASH) {
        if (byte === SLASH) at += 1;
        if (at >= length) return -1;
        if (bytes[at] !== GT) throw damagedSheet("invalid tag");
        this.#attributeCount = count;
        return at + 1;
      }
      if (count === maxAttributes) throw damagedSheet("a tag with too many attributes");
      let name = at;
      while (at < length && isNameEnd[bytes[at] ?? 0] === 0) {
        if (bytes[at] === COLON) name = at + 1;
        at += 1;
      }
      const nameEnd = at;
      while (at < length && (bytes[at] ?? 0) <= 32) at += 1;
      if (at < length && bytes[at] !== EQUALS) throw damagedSheet("an attribute without a value");
      at += 1;
      while (at < length && (bytes[at] ?? 0) <= 32) at += 1;
      if (at >= length) return -1;
      const quote = bytes[at] ?? 0;
      if (quote !== QUOTE && quote !== APOSTROPHE) throw damagedSheet("an attribute without quotes");
      const value = at + 1;
      at = value;
      while (at < length && bytes[at] !== quote && bytes[at] !== LT) at += 1;
      if (at < length && bytes[at] === LT) throw damagedSheet("a tag within a tag");
      slots[count * 4] = name;
      slots[count * 4 + 1] = nameEnd;
      slots[count * 4 + 2] = value;
      slots[count * 4 + 3] = at;
      count += 1;
    }
    return -1;
  }

  /** Skips a comment or instruction (undefined), reads a CDATA section as text, and rejects a document type. */
  #markup(at: number, second: number): Token | undefined {
    const bytes = this.bytes;
    if (second === 63) return this.#skipPast(at, "?>");
    if (bytes.length < at + 9) return token.need;
    const opening = bytes.toString("latin1", at + 2, at + 9);
    if (opening.startsWith("--")) return this.#skipPast(at + 2, "-->");
    if (opening !== "[CDATA[" || this.depth === 0) throw forbiddenDeclaration();
    const to = bytes.indexOf("]]>", at + 9, "latin1");
    if (to < 0) return token.need;
    let found: number = byteFlags.needsDecoding;
    for (let place = at + 9; place < to; place += 1) found |= byteClass[bytes[place] ?? 0] ?? 0;
    return this.#endText(at + 9, to, to + 3, found);
  }

  #skipPast(at: number, closing: string): Token | undefined {
    const to = this.bytes.indexOf(closing, at + 2, "latin1");
    if (to < 0) return token.need;
    this.#at = to + closing.length;
    return undefined;
  }
}

function forbiddenDeclaration(): SheetError {
  return new SheetError(
    "forbidden_content",
    "This spreadsheet contains a document type declaration, which is not allowed. Open it, save a new copy and upload that.",
  );
}

/** Encodes a name of at most three letters like `shortName`. */
export function shortNameCode(name: string): number {
  return Buffer.from(name).reduce((sum, byte, at) => sum + byte * 256 ** at, 0);
}
