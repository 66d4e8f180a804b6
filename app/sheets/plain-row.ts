import { lookaheadBytes, matchesAt, skipDigits } from "./plain-bytes.ts";

/** The row that `readPlainRow` read: its number, and the number of its digits. */
export type PlainRow = { number: number; digits: number };

const opening = Buffer.from('<row r="');
const closing = Buffer.from("</row>");
const LT = 60;
const GT = 62;
const SLASH = 47;
const QUOTE = 34;
const APOSTROPHE = 39;
const zero = 48;
const maxTagBytes = 1024;
const maxDigits = 8;

/**
 * Reads the opening tag of a row in the form that the common programs write, `<row r="7" spans="1:5">`. Returns the
 * offset after the tag, or 0 for a tag of another form, which the scanner then reads.
 */
export function readPlainRow(bytes: Uint8Array, start: number, row: PlainRow): number {
  const last = Math.min(bytes.length - lookaheadBytes, start + maxTagBytes);
  if (start >= last || !matchesAt(bytes, start, opening)) return 0;
  const first = start + opening.length;
  const digitsEnd = skipDigits(bytes, first);
  row.digits = digitsEnd - first;
  if (row.digits === 0 || row.digits > maxDigits || bytes[digitsEnd] !== QUOTE) return 0;
  row.number = 0;
  for (let at = first; at < digitsEnd; at += 1) row.number = row.number * 10 + (bytes[at] ?? 0) - zero;
  let quoted = false;
  for (let at = digitsEnd + 1; at < last; at += 1) {
    const byte = bytes[at];
    if (byte === GT && !quoted) return bytes[at - 1] === SLASH ? 0 : at + 1;
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === LT || byte === APOSTROPHE) return 0;
  }
  return 0;
}

/** Returns the offset after `</row>`, or 0 when there is something else. */
export function skipRowEnd(bytes: Uint8Array, at: number): number {
  return at + lookaheadBytes < bytes.length && matchesAt(bytes, at, closing) ? at + closing.length : 0;
}
