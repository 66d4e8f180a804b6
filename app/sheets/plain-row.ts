import { afterDigits, isThere, margin } from "./plain-bytes.ts";

/** What `readPlainRow` found: the row's number and how many digits it has. */
export type PlainRow = { number: number; digits: number };

const opening = Buffer.from('<row r="');
const closing = Buffer.from("</row>");
const LT = 60;
const GT = 62;
const SLASH = 47;
const QUOTE = 34;
const APOSTROPHE = 39;
const zero = 48;
const longestTag = 1024;
const mostDigits = 8;

/**
 * Reads the tag that opens a row as the common programs write it, `<row r="7" spans="1:5">`. Returns the place after it,
 * or 0 for anything else, which is not wrong for that.
 */
export function readPlainRow(bytes: Uint8Array, start: number, row: PlainRow): number {
  const last = Math.min(bytes.length - margin, start + longestTag);
  if (start >= last || !isThere(bytes, start, opening)) return 0;
  const first = start + opening.length;
  const digitsEnd = afterDigits(bytes, first);
  row.digits = digitsEnd - first;
  if (row.digits === 0 || row.digits > mostDigits || bytes[digitsEnd] !== QUOTE) return 0;
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

/** The place after `</row>`, or 0 when something else stands there. */
export function afterPlainRow(bytes: Uint8Array, at: number): number {
  return at + margin < bytes.length && isThere(bytes, at, closing) ? at + closing.length : 0;
}
