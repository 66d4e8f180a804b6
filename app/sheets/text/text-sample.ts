/** The bytes of lines that an encoding is detected from. */
const maxSampleBytes = 32 * 1024;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Returns the lines that have bytes beyond ASCII, at most 32 KB. The bytes of line ends are no part of another
 * character in any encoding of one or more bytes that is read, so that lines can be cut.
 */
export function sampleLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < maxSampleBytes; at += 1) {
    if ((bytes[at] ?? 0) < 128) continue;
    let from = at;
    while (from > 0 && at - from < maxSampleBytes && !isLineEnd(bytes[from - 1])) from -= 1;
    let to = at;
    while (to < bytes.length && to - from < maxSampleBytes && !isLineEnd(bytes[to])) to += 1;
    const line = bytes.subarray(from, Math.min(bytes.length, to + 1));
    lines.push(line);
    size += line.length;
    at = to;
  }
  return Buffer.concat(lines);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** Counts the characters of several bytes that are valid UTF-8, and the bytes that are not. */
export function countUtf8(bytes: Uint8Array): { valid: number; invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte < 128) {
      at += 1;
      continue;
    }
    const length =
      byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
    let found = 1;
    while (found < length && ((bytes[at + found] ?? 0) & 0xc0) === 0x80) found += 1;
    if (length > 0 && found === length) {
      valid += 1;
      at += length;
      continue;
    }
    // The last character may be cut off.
    if (length === 0 || at + found < bytes.length) invalid += 1;
    at += 1;
  }
  return { valid, invalid };
}
