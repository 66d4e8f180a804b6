import { hashBytes } from "./block.ts";
import { parseHash } from "./parse-hash.ts";

/**
 * A person's name, postal code and country, by which Google and Meta find people besides their identifiers. Names are
 * SHA-256 hashes, 32 bytes in a `latin1` string; the postal code is upper-case ASCII, because Google takes it as it is.
 */
export type PostalAddress = { givenName: string; familyName: string; country: string; postalCode: string };

/** A name as it is hashed, or already hashed as 32 bytes in a `latin1` string. */
type Name = { hashed: false; text: string } | { hashed: true; bytes: string };
export type NormalizedAddress = Omit<PostalAddress, "givenName" | "familyName"> & { givenName: Name; familyName: Name };

/** The cells of a row; `country` is an ISO code, undefined when it is unknown. */
type AddressCells = { givenName: string; familyName: string; postalCode: string; country: string | undefined };

const titles = /^(?:mrs?|ms|miss|mx|dr|prof|herr|frau|mme|mlle|sra?|srta)\s+(?=\S)/;
const generations = /(?<=\S)\s+(?:jr|sr|i{2,3}|iv)$/;

/**
 * Normalizes an address by the rules of Google's Data Manager API (`AddressInfo`) and of Meta's customer information
 * parameters, which agree on names: lower case, no punctuation, no title and no generation. Names may be hashed
 * already. Returns undefined when a part is missing or invalid. Pure.
 */
export function normalizeAddress({
  givenName,
  familyName,
  postalCode,
  country,
}: AddressCells): NormalizedAddress | undefined {
  const code = country === undefined ? undefined : normalizePostalCode(postalCode, country);
  if (country === undefined || code === undefined) return undefined;
  const given = normalizeName(givenName, titles);
  const family = normalizeName(familyName, generations);
  return given && family ? { givenName: given, familyName: family, country, postalCode: code } : undefined;
}

function normalizeName(value: string, addition: RegExp): Name | undefined {
  const clean = value.replace(/[\ufeff\u00a0]/g, " ").trim();
  const hash = clean.length >= 24 ? parseHash(clean) : undefined;
  if (hash) return "reason" in hash ? undefined : { hashed: true, bytes: hash.bytes };
  const letters = clean
    .slice(0, 200)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\p{C}]/gu, "");
  const text = letters.replace(/\s+/g, " ").trim().replace(addition, "");
  return /\p{L}/u.test(text) ? { hashed: false, text } : undefined;
}

/**
 * Returns a postal code as Google takes it: of the United States five digits, or nine as `12345-6789`. Returns
 * undefined for anything that cannot be one, such as a code whose leading zero is lost.
 */
function normalizePostalCode(value: string, country: string): string | undefined {
  const code = value
    .replace(/[\ufeff\u00a0]/g, " ")
    .normalize("NFKC")
    .trim()
    .replace(/\s+/g, " ")
    .toUpperCase();
  if (country === "US") {
    const [, zip, extension] = /^(\d{5})(?:[- ]?(\d{4}))?$/.exec(code) ?? [];
    return zip && extension ? `${zip}-${extension}` : zip;
  }
  return /^[A-Z0-9](?:[A-Z0-9 -]{0,8}[A-Z0-9])$/.test(code) && /\d/.test(code) ? code : undefined;
}

/**
 * Returns the postal code as Meta hashes it: lower case without spaces and dashes, the first five digits of US codes.
 */
export function metaPostalCode({ country, postalCode }: Pick<PostalAddress, "country" | "postalCode">): string {
  const code = postalCode.replace(/[ -]/g, "").toLowerCase();
  return country === "US" ? code.slice(0, 5) : code;
}

/** The maximum length of an address as text, with the longest postal code. */
export const maxAddressLength = 2 * hashBytes + 2 + 10;

/** Returns an address as one `latin1` string, for storage. */
export function packAddress({ givenName, familyName, country, postalCode }: PostalAddress): string {
  return givenName + familyName + country + postalCode;
}

export function unpackAddress(packed: string): PostalAddress {
  return {
    givenName: packed.slice(0, hashBytes),
    familyName: packed.slice(hashBytes, 2 * hashBytes),
    country: packed.slice(2 * hashBytes, 2 * hashBytes + 2),
    postalCode: packed.slice(2 * hashBytes + 2),
  };
}
