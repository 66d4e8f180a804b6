import type { TextEncoding } from "./encodings.ts";
import { countUtf8 } from "./text-sample.ts";
import type { EncodingChoice } from "./text-to-utf8.ts";

/**
 * `bom` is the length in bytes of the byte-order mark; `sample` the start of the text, in which markup can be found.
 */
type Text = EncodingChoice & { bom: 0 | 2 | 3; sample: string };

/**
 * Returns the encoding of text by its byte-order mark, by the uploader's choice, or as UTF-16 by its zero bytes. Other
 * encodings are detected while the text is read, because its first bytes are often ASCII. Returns undefined for binary
 * data.
 */
export function detectTextEncoding(head: Uint8Array, start: string, chosen?: TextEncoding): Text | undefined {
  if (start.startsWith("\xff\xfe\0\0")) return undefined;
  if (start.startsWith("\xff\xfe")) return utf16(head.subarray(2), { encoding: "utf-16le", source: "mark", bom: 2 });
  if (start.startsWith("\xfe\xff")) return utf16(head.subarray(2), { encoding: "utf-16be", source: "mark", bom: 2 });
  if (start.startsWith("\xef\xbb\xbf")) {
    // Cells of another encoding are read as Windows-1252 (`CsvScanner`).
    if (isBinary(head) || countUtf8(head).invalid * 10 > head.length) return undefined;
    return { encoding: "utf-8", source: "mark", bom: 3, sample: start.slice(3) };
  }
  if (chosen === "utf-16le" || chosen === "utf-16be")
    return utf16(head, { encoding: chosen, source: "chosen", bom: 0 });
  if (isBinary(head)) {
    const encoding = chosen ? undefined : utf16ByZeros(head);
    return encoding && utf16(head, { encoding, source: "detected", bom: 0 });
  }
  return { encoding: chosen, source: chosen ? "chosen" : "detected", bom: 0, sample: start };
}

/** Returns whether the text is an HTML page; some stores export these as .xls. */
export function looksLikeHtml(sample: string): boolean {
  // A comment ends at its first end, so that text with many comments is read in one way only.
  return /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body|table|meta|div)\b/i.test(sample);
}

/** Returns whether more than 2% of the bytes are control characters: binary data, or UTF-16. */
function isBinary(head: Uint8Array): boolean {
  let controls = 0;
  for (const byte of head) if (isControl(byte)) controls += 1;
  return controls * 50 > head.length;
}

function isControl(byte: number): boolean {
  return byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 26;
}

/**
 * Returns the byte order of UTF-16 without a byte-order mark: the delimiters and digits of a table have a zero as their
 * high byte, and no letter one as its low byte. Returns undefined for binary data.
 */
function utf16ByZeros(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < head.length / 20 || Math.min(even, odd) > 0) return undefined;
  const encoding = odd > 0 ? "utf-16le" : "utf-16be";
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length - (head.length % 2)));
  const controls = [...text].filter((character) => isControl(character.charCodeAt(0)) || character === "\ufffd").length;
  return controls * 50 > text.length ? undefined : encoding;
}

function utf16(
  bytes: Uint8Array,
  facts: Omit<Text, "sample" | "encoding"> & { encoding: "utf-16le" | "utf-16be" },
): Text {
  return { ...facts, sample: new TextDecoder(facts.encoding).decode(bytes, { stream: true }) };
}
