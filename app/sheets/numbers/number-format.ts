import { dateFromSerial, format, getFormatInfo } from "numfmt";

/** Returns the number of a cell as the cell shows it; undefined where the plain number says more. */
export type NumberFormat = (value: number) => string | undefined;

/** Days from January 1, 1900 to January 1, 1904, from which old workbooks for the Macintosh count. */
const daysTo1904 = 1462;
/** The currencies that are written with a dollar sign, by the code of a language and country (MS-LCID). */
const otherDollars: Record<string, string> = {
  "1009": "CAD",
  C0C: "CAD",
  C09: "AUD",
  "1409": "NZD",
  "4809": "SGD",
  "1004": "SGD",
  C04: "HKD",
  "404": "TWD",
  "80A": "MXN",
  "2C0A": "ARS",
  "340A": "CLP",
  "240A": "COP",
};
/** December 31, 9999. */
const lastSerial = 2_958_465;

/**
 * Compiles a format code (ECMA-376 part 1, 18.8.31), such as `00000` or `#,##0.00 [$€-407]`. Returns undefined for a
 * code that shows a number unchanged, or with fewer digits than it has: general, text, scientific and fractions. Two
 * things differ from what a program shows, because they depend on the person's language: dates are ISO 8601, and
 * numbers have a decimal point and no thousands separators. A currency remains beside its amount.
 */
export function compileNumberFormat(code: string, { is1904 = false } = {}): NumberFormat | undefined {
  const neutral = code.replace(/\[\$([^\]-]*)(?:-([^\]]*))?\]/g, (_, symbol: string, locale = "") => {
    const dollar = symbol === "$" ? otherDollars[locale.toUpperCase().replace(/^0+/, "")] : undefined;
    return symbol ? `"${dollar ? `${dollar} ` : symbol}"` : "";
  });
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
    case "time":
      return (value) => formatNumber(neutral, value);
    default: {
      const decimals = decimalsOf(neutral);
      return (value) => formatNumber(neutral, roundAsShown(value, decimals));
    }
  }
}

/** The most decimals of the value that a code shows in any of its sections: two more for a percentage. */
function decimalsOf(code: string): number {
  const sections = code.split(";").filter((section) => typeOf(section) !== undefined);
  const decimals = sections.map((section) => {
    const { maxDecimals, scale } = getFormatInfo(section);
    return maxDecimals + Math.round(Math.log10(scale || 1));
  });
  return decimals.length > 0 ? Math.max(...decimals) : 10;
}

/** Rounds half away from zero in decimal, as spreadsheets do: 1.005 is 1.01, although its binary form is below that. */
function roundAsShown(value: number, decimals: number): number {
  const shifted = Number(`${Math.abs(value)}e${decimals}`);
  const rounded = Number(`${Math.round(shifted)}e${-decimals}`);
  return Number.isFinite(rounded) ? Math.sign(value) * rounded : value;
}

/** The kind of a code's first section; undefined for a code that is not valid. */
function typeOf(code: string): ReturnType<typeof getFormatInfo>["type"] | undefined {
  try {
    return getFormatInfo(code).type;
  } catch {
    return undefined;
  }
}

/**
 * A whole number with separators, in groups of three or, as in India, of two before the last three: 12,34,567. Beside a
 * currency too, because the one in $1,800 could be taken for a decimal comma.
 */
const separatedNumber = /(?<![\d,.])\d{1,3}(?:,\d{2,3})*,\d{3}(?![\d,])/g;

/** Above this, decimals exceed the precision of the computation. */
const maxFormatted = 1e12;

function formatNumber(code: string, value: number): string | undefined {
  if (Math.abs(value) >= maxFormatted) return undefined;
  const shown = format(code, value, { nbsp: false, throws: false, locale: "en-US" }).trim();
  // A format may hide a number, or show a dash for zero. Words, such as Yes and No, stay.
  if (!/[\d\p{L}]/u.test(shown) || /^#/.test(shown)) return undefined;
  return shown.replace(separatedNumber, (digits) => digits.replaceAll(",", ""));
}

function formatDate(serial: number, withTime: boolean): string | undefined {
  if (!(serial >= 0 && serial < lastSerial + 1)) return undefined;
  const parts = dateFromSerial(serial).map((part = 0) => String(part).padStart(2, "0"));
  const date = `${(parts[0] ?? "").padStart(4, "0")}-${parts[1]}-${parts[2]}`;
  return withTime ? `${date} ${parts.slice(3).join(":")}` : date;
}
