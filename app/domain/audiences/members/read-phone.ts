import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { type Spelled, spelledBy } from "./read-email.ts";

const northAmerican = /^\+1[\s.(-]*([2-9]\d\d)[\s.)-]*([2-9]\d\d)[\s.-]*(\d{4})$/;

/**
 * Reads a phone number: with `+`, or within `country` (ISO code). Undefined when it has neither, or a length that its
 * country does not know: never guessed. Google, UID2 and TikTok write `+` and digits, Meta and its like digits alone.
 */
export function readPhone(number: string, country: string | undefined): Spelled | undefined {
  const digits = number.startsWith("+1") ? northAmerican.exec(number) : null;
  const e164 = digits ? `+1${digits[1]}${digits[2]}${digits[3]}` : parse(number, country);
  return e164 === undefined ? undefined : spelledBy({ google: e164, uid2: e164, tiktok: e164, meta: e164.slice(1) });
}

function parse(number: string, country: string | undefined): string | undefined {
  const within = countryOf(country);
  if (number.length > 40 || (!number.startsWith("+") && !within)) return undefined;
  const phone = parsePhoneNumberFromString(number, { defaultCountry: within, extract: false });
  // Whether a number is in use changes faster than any table of them; how long one is does not.
  return phone?.isPossible() ? phone.number : undefined;
}

/** `us` and ` US ` as well as `US`; undefined for what is no country. */
export function countryOf(code: string | undefined): CountryCode | undefined {
  const upper = code?.trim().toUpperCase();
  return upper && isSupportedCountry(upper) ? upper : undefined;
}
