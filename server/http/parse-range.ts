import parseRangeHeader from "range-parser";

/**
 * Returns the first and last byte, both included, that a `Range` header asks for. Undefined stands for the whole file:
 * without a header, and for a header that a server ignores (RFC 9110, section 14.2).
 */
export function parseRange(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  if (header === undefined || isIgnored(header)) return undefined;
  const ranges = parseRangeHeader(bytes, header);
  if (typeof ranges !== "number") return ranges[0];
  // The library rejects a suffix that is longer than the file, although it asks for all of it (section 14.1.2).
  return bytes > 0 && suffixLength(header) > bytes ? { start: 0, end: bytes - 1 } : "unsatisfiable";
}

/**
 * Other units, several ranges at once, and invalid ranges: only the latter are unsatisfiable in a file without an end.
 */
function isIgnored(header: string): boolean {
  const ranges = parseRangeHeader(Number.POSITIVE_INFINITY, header);
  return typeof ranges === "number" || ranges.type !== "bytes" || header.includes(",");
}

function suffixLength(header: string): number {
  return Number(/^bytes=\s*-\s*(\d+)\s*$/.exec(header)?.[1] ?? 0);
}
