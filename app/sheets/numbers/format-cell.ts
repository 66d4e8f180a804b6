import type { NumberFormat } from "./number-format.ts";

const point = 46;
const minus = 45;
const zero = 48;

/**
 * Formats a number as a spreadsheet program displays it: the file may contain `1.5551234567E10` for a phone number and
 * `19.989999999999998` for a price, because Excel's numbers have 15 digits. Whole and short numbers are unchanged.
 */
export function formatCellNumber(text: string): string {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)) return text;
  if (isVerbatimNumber(Buffer.from(text, "latin1"), 0, text.length)) return text;
  const value = Number(Number(text).toPrecision(15));
  return Number.isFinite(value) ? String(value) : text;
}

/** Formats a number as a cell with this format shows it. Digits beyond the 15 that a program shows stay. */
export function formatNumberAs(format: NumberFormat | undefined, text: string): string {
  const plain = formatCellNumber(text);
  if (format === undefined || text === "" || /\d{16}/.test(plain)) return plain;
  const value = Number(plain);
  return (Number.isFinite(value) ? format(value) : undefined) ?? plain;
}

/** Returns whether `formatCellNumber` would leave these bytes unchanged, at a hundredth of its cost. */
export function isVerbatimNumber(bytes: Uint8Array, from: number, to: number): boolean {
  let points = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === point) points += 1;
    else if (!(byte >= zero && byte <= zero + 9) && !(byte === minus && at === from)) return false;
  }
  // The last zeros of 1.50 and 3.0 are not displayed; those of whole numbers are.
  return points === 0 || (points === 1 && to - from <= 15 && bytes[to - 1] !== zero);
}

/** Formats `1` as TRUE and `0` as FALSE; other text is unchanged. */
export function formatCellBoolean(text: string): string {
  if (text === "1") return "TRUE";
  return text === "0" ? "FALSE" : text;
}

/**
 * The text of a cell with a formula whose result was not saved with the file, as by programs that write spreadsheets
 * without computing them.
 */
export const unsavedFormula = "#FORMULA!";

/** The errors that spreadsheet programs show in place of a result, in English and the languages of most exports. */
const cellErrors = new Set(
  (
    "#N/A #REF! #VALUE! #DIV/0! #NAME? #NULL! #NUM! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY! #UNKNOWN! #GETTING_DATA #ERROR! " +
    "#NV #BEZUG! #WERT! #ZAHL! #VALEUR! #NOM? #NOMBRE! #¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NUM! #N/D #RIF! #VALORE! #NOME?"
  ).split(" "),
);

/** Returns whether a cell shows an error in place of a formula's result. */
export function isCellError(text: string): boolean {
  return text.startsWith("#") && cellErrors.has(text);
}
