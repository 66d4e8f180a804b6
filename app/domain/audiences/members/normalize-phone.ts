import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { groupNormalizedVariants, type NormalizedIdentifier } from "./normalize-email.ts";

const northAmerican = /^\+1[\s.(-]*([2-9]\d\d)[\s.)-]*([2-9]\d\d)[\s.-]*(\d{4})$/;

/**
 * Normalizes a phone number: with `+`, or within `country` (ISO code). Returns undefined when it has neither, or a
 * length that is not valid in its country; nothing is guessed. Google, UID2 and TikTok use `+` and digits, Meta and the
 * others of its profile digits only.
 */
export function normalizePhone(number: string, country: string | undefined): NormalizedIdentifier | undefined {
  // Square and spreadsheets put an apostrophe before a number, so that it is text.
  if (number.startsWith("'")) return normalizePhone(number.replace(/^'+/, ""), country);
  const digits = number.startsWith("+1") ? northAmerican.exec(number) : null;
  const e164 = digits
    ? `+1${digits[1]}${digits[2]}${digits[3]}`
    : parse(withoutTrunkZero(withoutDecimals(withoutParentheses(toHalfWidth(number)))), country);
  return e164 === undefined
    ? undefined
    : groupNormalizedVariants({ google: e164, uid2: e164, tiktok: e164, meta: e164.slice(1) });
}

/**
 * The library does not see that a number with a full-width plus, as Japanese keyboards write it, has its country code.
 */
function toHalfWidth(number: string): string {
  return number.startsWith("\uff0b") ? number.normalize("NFKC") : number;
}

/** The library refuses a calling code in parentheses: (+49) 30 901820. */
function withoutParentheses(number: string): string {
  return number.replace(/^\(\s*(\+\d{1,3})\s*\)/, "$1");
}

/**
 * Data tools write a column of numbers with empty cells as decimals: 4930901820.0. The zero is no digit of the number.
 */
function withoutDecimals(number: string): string {
  return number.replace(/^(\+?\d{7,})\.00?$/, "$1");
}

const trunkZero = /^(\+|00)([1-9]\d{0,2}[\s./-]*)\(\s*0\s*\)([\d\s()./-]{1,30})$/;

/**
 * Removes the zero in +48 (0) 601 234 567, which is dialed within a country only. The library does so where all numbers
 * are dialed with a zero, and elsewhere takes it for a digit. It is one where numbers begin with it: +39 (0)6 1234
 * 5678.
 */
function withoutTrunkZero(number: string): string {
  const [, plus, code, rest] = trunkZero.exec(number) ?? [];
  if (plus === undefined || parsePhoneNumberFromString(`+${code}0${rest}`)?.isValid()) return number;
  return parsePossible(`+${code}${rest}`) ? `${plus}${code}${rest}` : number;
}

function parse(number: string, country: string | undefined): string | undefined {
  const defaultCountry = parseCountryCode(country);
  if (number.length > 40 || (!number.startsWith("+") && !defaultCountry)) return undefined;
  const international = withPlus(number, defaultCountry);
  return (international && parsePossible(international)) ?? parsePossible(number, defaultCountry);
}

/**
 * Mobile numbers with the calling code of their country and without `+`, as a spreadsheet leaves them. In these
 * countries numbers may have so many digits that the library reads the code as a part of the number, and another number
 * results. Their area codes that begin with the same digits (0491, 0628) have shorter numbers.
 */
const mobilesWithCallingCode: Partial<Record<CountryCode, RegExp>> = {
  DE: /^491[5-7]\d{8,9}$/,
  ID: /^628\d{8,11}$/,
  XK: /^3834[3-9]\d{6}$/,
};

/**
 * Returns a number in which the calling code is known, with `+`; undefined for another one. No national number begins
 * with the 00 that the ITU recommends for calls abroad, also where people dial something else.
 */
function withPlus(number: string, country: CountryCode | undefined): string | undefined {
  if (country === undefined || number.startsWith("+")) return undefined;
  const digits = number.replace(/[\s()./-]/g, "");
  if (/^00[1-9]\d{6,}$/.test(digits)) return `+${digits.slice(2)}`;
  return mobilesWithCallingCode[country]?.test(digits) ? `+${digits}` : undefined;
}

function parsePossible(number: string, defaultCountry?: CountryCode): string | undefined {
  const phone = parsePhoneNumberFromString(number, { defaultCountry, extract: false });
  // Whether a number is assigned changes faster than any table; its valid length does not.
  return phone?.isPossible() ? phone.number : undefined;
}

/** Parses `us` and ` US ` as `US`; returns undefined when the code is not a country. */
export function parseCountryCode(code: string | undefined): CountryCode | undefined {
  const upper = code?.trim().toUpperCase();
  return upper && isSupportedCountry(upper) ? upper : undefined;
}
