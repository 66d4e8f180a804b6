import { decodeText } from "./codec.ts";
import { type TextEncoding, textEncodings } from "./encodings.ts";

const maxValues = 3;
const maxValueBytes = 60;
const maxLength = 60;
/** Bytes that end a value and are no part of another character in any of the encodings. */
const ends = new Set([...'\t\n\r",;'].map((character) => character.charCodeAt(0)));
/** The encodings in which a byte below 128 is always the character that it is in ASCII. */
const candidates = textEncodings.filter((encoding) => !encoding.startsWith("utf-16"));

/**
 * Returns the first values beyond ASCII as each encoding would read them, without the encodings in which they are no
 * text. Empty for a text that is ASCII.
 */
export function readInEachEncoding(pieces: readonly Buffer[]): Partial<Record<TextEncoding, string>> {
  const values = findValues(pieces);
  const samples: Partial<Record<TextEncoding, string>> = {};
  if (values.length === 0) return samples;
  for (const encoding of candidates) {
    const texts = values.map((value) => withoutCut(decodeText(value, encoding), value));
    if (texts.every((text) => !/[\ufffd\u0080-\u009f]/.test(text))) {
      samples[encoding] = [...new Set(texts.map((text) => text.trim()))].join(", ").slice(0, maxLength).toWellFormed();
    }
  }
  return samples;
}

/** Removes a last character that was cut off. */
function withoutCut(text: string, { length }: Buffer): string {
  return length >= maxValueBytes ? text.replace(/\ufffd+$/, "") : text;
}

function findValues(pieces: readonly Buffer[]): Buffer[] {
  const values: Buffer[] = [];
  for (const piece of pieces) {
    for (let at = 0; at < piece.length && values.length < maxValues; at += 1) {
      if ((piece[at] ?? 0) < 128) continue;
      let from = at;
      while (from > 0 && at - from < maxValueBytes && !ends.has(piece[from - 1] ?? 0)) from -= 1;
      let to = at;
      while (to < piece.length && to - at < maxValueBytes && !ends.has(piece[to] ?? 0)) to += 1;
      const value = piece.subarray(from, to);
      if (!values.some((known) => known.equals(value))) values.push(value);
      at = to;
    }
    if (values.length === maxValues) break;
  }
  return values;
}
