import { isAscii } from "node:buffer";
import { createPieceDecoder, type PieceDecoder } from "./codec.ts";
import type { EncodingSource, ReadEncoding, TextEncoding } from "./encodings.ts";
import { guessEncoding } from "./guess-encoding.ts";
import { countUtf8, sampleLines } from "./text-sample.ts";

/** Text that is not UTF-8 is held until it has this many bytes beyond ASCII, or this length, and is then detected. */
const enoughBytes = 2_000;
const maxHeldBytes = 1024 * 1024;
const maxCharacters = 24;
const utf8Mark = Buffer.from("\ufeff");

/** `encoding` is undefined when it is detected. A byte-order mark is stronger than a choice. */
export type EncodingChoice = { encoding: TextEncoding | undefined; source: EncodingSource };

/**
 * Converts text to UTF-8 as it arrives. Text that is UTF-8 already is passed on as it is, without a copy, also where
 * single cells of it are not UTF-8, which the CSV scanner reads as Windows-1252. Holds at most a megabyte.
 */
export class TextToUtf8 {
  #encoding: TextEncoding | undefined;
  readonly #source: EncodingSource;
  #decoder: PieceDecoder | undefined;
  #started = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #characters: string | undefined;
  #unreadable = 0;

  constructor({ encoding, source }: EncodingChoice) {
    this.#source = source;
    if (encoding) this.#decide(encoding);
  }

  /** Returns what can be read of the text so far. */
  push(chunk: Buffer): Buffer {
    const piece = this.#started ? chunk : withoutMark(chunk);
    this.#started = true;
    if (this.#decoder) return this.#convert(this.#decoder, piece);
    if (this.#encoding) {
      if (this.#characters === undefined && !isAscii(piece)) this.#characters = describeCharacters(piece.toString());
      return piece;
    }
    if (this.#heldBytes === 0) {
      // ASCII is the same in all encodings that are told apart by their characters.
      if (isAscii(piece)) return piece;
      const sample = sampleLines(piece);
      if (isMostlyUtf8(countUtf8(sample))) return this.#decideUtf8(piece, sample);
    }
    // A copy, because the caller may reuse the chunk.
    this.#held.push(Buffer.from(piece));
    this.#heldBytes += piece.length;
    return this.#release(false);
  }

  /** Returns the rest of the text. */
  end(): Buffer {
    const rest = this.#heldBytes > 0 ? this.#release(true) : Buffer.alloc(0);
    const last = this.#decoder?.end();
    return last ? Buffer.concat([rest, this.#toBytes(last)]) : rest;
  }

  /** Whether the encoding is known. */
  get isDecided(): boolean {
    return this.#encoding !== undefined;
  }

  /** What is known about the encoding once the text has ended. */
  get read(): ReadEncoding {
    return {
      encoding: this.#encoding ?? "utf-8",
      source: this.#source,
      characters: this.#characters ?? "",
      unreadable: this.#unreadable,
    };
  }

  /** Detects the encoding of the held text if there is enough of it, and converts it. */
  #release(last: boolean): Buffer {
    const held = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held);
    const sample = sampleLines(held);
    const counts = countUtf8(sample);
    const isUtf8 = isMostlyUtf8(counts);
    if (!isUtf8 && !last && counts.invalid < enoughBytes && this.#heldBytes < maxHeldBytes) return Buffer.alloc(0);
    this.#held = [];
    this.#heldBytes = 0;
    if (isUtf8) return this.#decideUtf8(held, sample);
    this.#decide(guessEncoding(sample));
    return this.#decoder ? this.#convert(this.#decoder, held) : held;
  }

  #decideUtf8(text: Buffer, sample: Buffer): Buffer {
    this.#decide("utf-8");
    this.#characters = describeCharacters(sample.toString());
    return text;
  }

  #decide(encoding: TextEncoding): void {
    this.#encoding = encoding;
    if (encoding !== "utf-8") this.#decoder = createPieceDecoder(encoding);
  }

  #convert(decoder: PieceDecoder, piece: Buffer): Buffer {
    return this.#toBytes(decoder.write(piece));
  }

  #toBytes(text: string): Buffer {
    for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) this.#unreadable += 1;
    this.#characters ||= describeCharacters(text);
    return Buffer.from(text);
  }
}

/** Detects the encoding of a whole text in memory. */
export function detectEncoding(pieces: Iterable<Buffer>): TextEncoding {
  const converter = new TextToUtf8({ encoding: undefined, source: "detected" });
  for (const piece of pieces) {
    converter.push(piece);
    if (converter.isDecided) break;
  }
  converter.end();
  return converter.read.encoding;
}

/** Text in another encoding has hardly any valid characters of several bytes; UTF-8 may have a few damaged cells. */
function isMostlyUtf8({ valid, invalid }: { valid: number; invalid: number }): boolean {
  return valid > 4 * invalid;
}

function withoutMark(chunk: Buffer): Buffer {
  return chunk.subarray(0, 3).equals(utf8Mark) ? chunk.subarray(3) : chunk;
}

/**
 * Lists the characters beyond ASCII, each once and in the order of Unicode, so that no value of the file can be read
 * from them.
 */
function describeCharacters(text: string): string {
  const found = new Set<string>();
  for (const character of text.slice(0, 256 * 1024)) {
    if (character > "\u00a0" && character !== "\ufeff" && character !== "\ufffd") found.add(character);
  }
  return [...found].sort().slice(0, maxCharacters).join("");
}
