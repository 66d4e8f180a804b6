import { dateFromSerial, format, getFormatInfo } from "numfmt";

/** Returns the number of a cell as the cell shows it; undefined where the plain number says more. */
export type NumberFormat = (value: number) => string | undefined;

/** Days from January 1, 1900 to January 1, 1904, from which old workbooks for the Macintosh count. */
const daysTo1904 = 1462;
/** December 31, 9999. */
const lastSerial = 2_958_465;

/**
 * Compiles a format code (ECMA-376 part 1, 18.8.31), such as `00000` or `#,##0.00 [$€-407]`. Returns undefined for a code that
 * shows a number unchanged, or with fewer digits than it has: general, text, scientific and fractions. Two things differ
 * from what a program shows, because they depend on the person's language: dates are ISO 8601, and numbers have a decimal
 * point and no thousands separators. A currency remains beside its amount.
 */
export function compileNumberFormat(code: string, { is1904 = false } = {}): NumberFormat | undefined {
  const neutral = code.replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, symbol: string) => (symbol ? `"${symbol}"` : ""));
  const type = typeOf(neutral);
  switch (type) {
    case "general":
      // A code of words alone, such as Yes and No, counts as general too.
      return /general/i.test(neutral) ? undefined : (value) => formatNumber(neutral, value);
    case undefined:
    case "text":
    case "scientific":
    case "fraction":
    case "error":
      return undefined;
    case "date":
    case "datetime":
      return (value) => formatDate(value + (is1904 ? daysTo1904 : 0), type === "datetime");
    default:
      return (value) => formatNumber(neutral, value);
  }
}

/** The kind of a code's first section; undefined for a code that is not valid. */
function typeOf(code: string): ReturnType<typeof getFormatInfo>["type"] | undefined {
  try {
    return getFormatInfo(code).type;
  } catch {
    return undefined;
  }
}

/** Above this, decimals exceed the precision of the computation. */
const maxFormatted = 1e12;

function formatNumber(code: string, value: number): string | undefined {
  if (Math.abs(value) >= maxFormatted) return undefined;
  const shown = format(code, value, { nbsp: false, throws: false, locale: "en-US" }).trim();
  // A format may hide a number, or show a dash for zero. Words, such as Yes and No, stay.
  if (!/[\d\p{L}]/u.test(shown) || /^#/.test(shown)) return undefined;
  return /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(shown) ? shown.replaceAll(",", "") : shown;
}

function formatDate(serial: number, withTime: boolean): string | undefined {
  if (!(serial >= 0 && serial < lastSerial + 1)) return undefined;
  const parts = dateFromSerial(serial).map((part = 0) => String(part).padStart(2, "0"));
  const date = `${(parts[0] ?? "").padStart(4, "0")}-${parts[1]}-${parts[2]}`;
  return withTime ? `${date} ${parts.slice(3).join(":")}` : date;
}
