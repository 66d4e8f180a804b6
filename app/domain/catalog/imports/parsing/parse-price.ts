import { productLimits } from "#app/domain/catalog/product.ts";
import { shortenText } from "#app/domain/shorten-text.ts";
import { catalogCurrency } from "../catalog-import.ts";
import { currencyOfPrice, maxPriceLength } from "./values/currency.ts";

/**
 * The decimal separator of a price column, as far as its cells show it: `dot` as in 1,234.50, `comma` as in 1.234,50.
 */
export type DecimalSeparator = "dot" | "comma";

type Reading = { cents: number } | { problem: string } | { ambiguous: true };

const notAPrice = "Not a valid price. Use US dollars, such as 12 or 12.50.";
const hint = "such as 1800.00";

/**
 * Parses a price: `1,234.50`, `1.234,50`, `$ 12`, `19.99 USD`, `1 234,50`. A price like `1,800` is ambiguous; `style`
 * is the separator that the rest of its column shows. The result is in cents, computed without floating point and never
 * rounded.
 */
export function parsePrice(text: string, style: DecimalSeparator | undefined): { cents: number } | { problem: string } {
  const read = readAmount(text, style);
  if (!("ambiguous" in read)) return read;
  const number = text.trim();
  return {
    problem: `${number} is ambiguous. Write it with two decimals, ${hint}.`,
  };
}

/** Detects the decimal separator from one cell; undefined when the cell does not show it. */
export function detectDecimalSeparator(text: string): DecimalSeparator | undefined {
  const number = extractNumber(text);
  if (number === undefined) return undefined;
  const last = Math.max(number.lastIndexOf("."), number.lastIndexOf(","));
  if (last < 0) return undefined;
  const sign = number[last];
  const count = number.split(sign ?? "").length - 1;
  const both = number.includes(".") && number.includes(",");
  if (both) return sign === "." ? "dot" : "comma";
  // A separator that occurs several times separates thousands, so the other one separates decimals.
  if (count > 1) return sign === "." ? "comma" : "dot";
  if (isAmbiguous(number, last)) return undefined;
  return sign === "." ? "dot" : "comma";
}

function readAmount(text: string, style: DecimalSeparator | undefined): Reading {
  const trimmed = text.replace(/[\u00a0\u202f]/g, " ").trim();
  if (trimmed.length > maxPriceLength) return { problem: notAPrice };
  const currency = currencyOfPrice(trimmed);
  if (currency !== undefined && currency !== catalogCurrency) return { problem: describeForeignPrice(currency) };
  if (/^[\d.,]*\d[eE][+-]?\d+$/.test(trimmed)) {
    return { problem: "This price is in scientific notation. Format the column as a number." };
  }
  if (/^\$?\s*[-−]\s*\$?\s*[\d.,]/.test(trimmed)) return { problem: "Price can't be negative" };
  const number = extractNumber(trimmed);
  if (number === undefined) return { problem: notAPrice };
  const last = Math.max(number.lastIndexOf("."), number.lastIndexOf(","));
  if (last < 0) return toAmount(number, "");
  const sign = number.charAt(last);
  const count = number.split(sign).length - 1;
  const both = number.includes(".") && number.includes(",");
  if (!both && count === 1) {
    if (isAmbiguous(number, last) && style === undefined) return { ambiguous: true };
    const thousands = isAmbiguous(number, last) && style !== (sign === "." ? "dot" : "comma");
    return thousands ? toAmount(number.replace(sign, ""), "") : toAmount(number.slice(0, last), number.slice(last + 1));
  }
  const whole = both ? number.slice(0, last) : number;
  const groups = whole.split(both ? (sign === "." ? "," : ".") : sign);
  if (!/^\d{1,3}$/.test(groups[0] ?? "") || !groups.slice(1).every((group) => /^\d{3}$/.test(group))) {
    return { problem: notAPrice };
  }
  return toAmount(groups.join(""), both ? number.slice(last + 1) : "");
}

/** Returns digits with dots and commas, without currency and without spaces or apostrophes between thousands. */
function extractNumber(text: string): string | undefined {
  const trimmed = text.replace(/[\u00a0\u202f]/g, " ").trim();
  if (trimmed.length > maxPriceLength) return undefined;
  const number = trimmed
    .replace(/^(?:USD|US\s?\$|\$)\s*/i, "")
    .replace(/\s*(?:USD|US\s?\$|\$)$/i, "")
    .replace(/(?<=\d)[ '’](?=\d{3}(?:\D|$))/g, "");
  return /^(?:\d+[.,]?|[.,]\d)[\d.,]*$/.test(number) ? number : undefined;
}

/** Whether a single separator has one to three digits before it and exactly three after it. */
function isAmbiguous(number: string, at: number): boolean {
  return /^[1-9]\d{0,2}$/.test(number.slice(0, at)) && /^\d{3}$/.test(number.slice(at + 1));
}

function toAmount(whole: string, decimals: string): Reading {
  const cents = decimals.replace(/(?<=^\d\d)0+$/, "");
  if (!/^\d*$/.test(whole) || !/^\d*$/.test(cents)) return { problem: notAPrice };
  if (cents.length > 2) return { problem: "Use up to two decimals" };
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  const amount = digits.length > 9 ? Number.POSITIVE_INFINITY : Number(digits) * 100 + Number(cents.padEnd(2, "0"));
  if (amount > productLimits.priceCents) return { problem: "Price can't exceed $10,000,000" };
  return { cents: amount };
}

/** Prices are never converted, so a price in another currency is rejected by the currency's name. */
export function describeForeignPrice(currency: string): string {
  return `This price is in ${shortenText(currency, 20)}. Use US dollars.`;
}
