import { allFamilies, familyBits } from "../rule-sets.ts";

/** An identifier as it is hashed: its own text follows Google's rule, `others` are the families that write it otherwise. */
export type Spelled = {
  text: string;
  families: number;
  others: readonly { text: string; families: number }[];
};

const plain = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u;
const none: Spelled["others"] = [];

/**
 * Reads a raw e-mail address, already without byte-order mark, non-breaking and outer spaces. Undefined unless it has exactly one `@`, a
 * local part, a domain with a dot and no inner space: such a one is reported, not silently altered. The rules are the
 * destinations' public documentation; each is a case of `ruleFamilies`.
 */
export function readEmail(address: string): Spelled | undefined {
  if (address.length > 320 || !plain.test(address)) return undefined;
  const lower = address.toLowerCase();
  // UID2 lowers A to Z only. Nothing else tells the families apart outside of Gmail.
  const uid2 = isAscii(address) ? lower : address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const gmail = lower.endsWith("@gmail.com");
  if (!gmail && !lower.endsWith("@googlemail.com")) {
    return uid2 === lower
      ? { text: lower, families: allFamilies, others: none }
      : spelledBy({ google: lower, uid2, tiktok: lower, meta: lower });
  }
  const google = withoutDotsAndPlus(lower);
  if (google.startsWith("@")) return undefined;
  return spelledBy({ google, uid2: gmail ? withoutDotsAndPlus(uid2) : uid2, tiktok: lower, meta: lower });
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}

function withoutDotsAndPlus(address: string): string {
  const at = address.indexOf("@");
  return address.slice(0, at).replace(/\+.*$/, "").replaceAll(".", "") + address.slice(at);
}

/** Groups the families that write the same. */
export function spelledBy(texts: Record<keyof typeof familyBits, string>): Spelled {
  const groups = new Map<string, number>();
  groups.set(texts.google, familyBits.google);
  for (const family of ["uid2", "tiktok", "meta"] as const) {
    groups.set(texts[family], (groups.get(texts[family]) ?? 0) | familyBits[family]);
  }
  const [[text, families] = [texts.google, allFamilies], ...others] = groups;
  return { text, families, others: others.map(([other, bits]) => ({ text: other, families: bits })) };
}
