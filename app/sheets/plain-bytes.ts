import { byteClass } from "./xml-bytes.ts";

const LT = 60;
const X = 120;
const UNDERSCORE = 95;
const zero = 48;

/** How near to the end no plain thing begins and no text of one goes, so that no byte is asked for that is not there. */
export const margin = 64;

export function isThere(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/** The place of the next tag after text that is ASCII and means itself; 0 after other text or at `last`. */
export function plainTextEnd(bytes: Uint8Array, from: number, last: number): number {
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

export function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= zero + 9) at += 1;
  return at;
}
