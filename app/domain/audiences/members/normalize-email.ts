import { allProfiles, profileBits } from "../rule-sets.ts";

/**
 * An identifier as it is hashed: `text` follows Google's rule; `variants` are the profiles that write it differently.
 */
export type NormalizedIdentifier = {
  text: string;
  profiles: number;
  variants: readonly { text: string; profiles: number }[];
};

/**
 * A local part without the signs that RFC 5322 reserves, and a domain of names: `{"email":"jane@example.com"}`,
 * `<jane@example.com>` and `jane@example.com;` have an address in them, but their hashes would match nobody.
 */
const plain = /^[^\s@\p{Cc}"(),:;<>[\\\]]+@(?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}_-]+$/u;
const none: NormalizedIdentifier["variants"] = [];

/**
 * Normalizes a raw email address without byte-order marks, non-breaking spaces and surrounding spaces. Returns
 * undefined unless the address has exactly one `@`, a local part, a domain with a dot, no inner space and no sign that
 * is not part of an address; such an address is reported, not silently altered. The rules are the destinations' public
 * documentation, one per profile (rule-sets.ts).
 */
export function normalizeEmail(address: string): NormalizedIdentifier | undefined {
  if (address.length > 320 || !plain.test(address)) return undefined;
  const lower = address.toLowerCase();
  // UID2 lowercases only A to Z. Outside of Gmail nothing else distinguishes the profiles.
  const uid2 = isAscii(address) ? lower : address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const gmail = lower.endsWith("@gmail.com");
  if (!gmail && !lower.endsWith("@googlemail.com")) {
    return uid2 === lower
      ? { text: lower, profiles: allProfiles, variants: none }
      : groupNormalizedVariants({ google: lower, uid2, tiktok: lower, meta: lower });
  }
  const google = removeDotsAndPlus(lower);
  if (google.startsWith("@")) return undefined;
  return groupNormalizedVariants({ google, uid2: gmail ? removeDotsAndPlus(uid2) : uid2, tiktok: lower, meta: lower });
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}

function removeDotsAndPlus(address: string): string {
  const at = address.indexOf("@");
  return address.slice(0, at).replace(/\+.*$/, "").replaceAll(".", "") + address.slice(at);
}

/** Groups the profiles with the same normalized text. */
export function groupNormalizedVariants(texts: Record<keyof typeof profileBits, string>): NormalizedIdentifier {
  const groups = new Map<string, number>();
  groups.set(texts.google, profileBits.google);
  for (const profile of ["uid2", "tiktok", "meta"] as const) {
    groups.set(texts[profile], (groups.get(texts[profile]) ?? 0) | profileBits[profile]);
  }
  const [[text, profiles] = [texts.google, allProfiles], ...others] = groups;
  return { text, profiles, variants: others.map(([other, bits]) => ({ text: other, profiles: bits })) };
}
