import { byteClass } from "./xml-bytes.ts";

const LT = 60;
const X = 120;
const UNDERSCORE = 95;
const zero = 48;

/**
 * The number of bytes at the end of the buffer in which no plain row or cell may begin and no plain text may continue,
 * so that readers can look ahead without checking the length.
 */
export const lookaheadBytes = 64;

/** Returns whether the bytes at `at` equal `expected`. */
export function matchesAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) if (bytes[at + index] !== expected[index]) return false;
  return true;
}

/** Returns the offset of the next tag after plain ASCII text without escapes; 0 after other text, or at `last`. */
export function findPlainTextEnd(bytes: Uint8Array, from: number, last: number): number {
  for (let at = from; at < last; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === LT) return at;
    if (byteClass[byte] !== 0 && !isLoneUnderscore(bytes, at)) return 0;
  }
  return 0;
}

/** An underscore begins an escape only when an x follows. */
export function isLoneUnderscore(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === UNDERSCORE && bytes[at + 1] !== X;
}

/** Returns the offset after the digits that begin at `start`. */
export function skipDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= zero + 9) at += 1;
  return at;
}
