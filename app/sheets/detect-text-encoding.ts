export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
type Text = { encoding: TextEncoding; bom: 0 | 2 | 3; sample: string };

/**
 * Returns the encoding of text by its byte-order mark; without one UTF-8 when the bytes are valid UTF-8, else
 * Windows-1252, in which nearly any bytes are text. Returns undefined for binary data.
 */
export function detectTextEncoding(head: Uint8Array, start: string): Text | undefined {
  if (start.startsWith("\xff\xfe\0\0")) return undefined;
  if (start.startsWith("\xff\xfe"))
    return { encoding: "utf-16le", bom: 2, sample: decode("utf-16le", head.subarray(2)) };
  if (start.startsWith("\xfe\xff"))
    return { encoding: "utf-16be", bom: 2, sample: decode("utf-16be", head.subarray(2)) };
  const bom = start.startsWith("\xef\xbb\xbf") ? 3 : 0;
  if (isBinary(head)) return undefined;
  const utf8 = isUtf8SoFar(head);
  if (!utf8 && bom === 3) return undefined;
  return { encoding: utf8 ? "utf-8" : "windows-1252", bom, sample: start.slice(bom) };
}

/** Returns whether the text is an HTML page; some stores export these as .xls. */
export function looksLikeHtml(sample: string): boolean {
  return /^\s*(<!--[\s\S]{0,4000}?-->\s*)*<(!doctype\s+html|html|head|body|table|meta|div)\b/i.test(sample);
}

/**
 * Returns whether more than 2% of the bytes are control characters: binary data, or UTF-16 without a byte-order mark.
 */
function isBinary(head: Uint8Array): boolean {
  let controls = 0;
  for (const byte of head) if (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 26) controls += 1;
  return controls * 50 > head.length;
}

/** Returns whether the bytes are valid UTF-8; the last character may be cut off. */
function isUtf8SoFar(head: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function decode(encoding: "utf-16le" | "utf-16be", bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}
