import type { InvalidReason } from "../audience.ts";
import { readEmail, type Spelled } from "./read-email.ts";
import { readHash } from "./read-hash.ts";
import { readPhone } from "./read-phone.ts";

export const identifierTypes = ["email", "phone"] as const;
export type IdentifierType = (typeof identifierTypes)[number];

/** One identifier, read: raw, or hashed already by a rule that nobody knows. */
export type Identifier =
  | ({ type: IdentifierType; hashed: false } & Spelled)
  | { type: IdentifierType; hashed: true; bytes: string };
export type Unread = { reason: InvalidReason };

type Given = {
  type: IdentifierType;
  /** The column or field says that it is hashed: then what is no hash is no raw value either. */
  hashed?: boolean;
  /** ISO code that a phone without `+` is read in. */
  country?: string | undefined;
};

/** Reads one value by what it looks like. Undefined when it is blank. */
export function readIdentifier(value: string, { type, hashed, country }: Given): Identifier | Unread | undefined {
  const clean = cleanValue(value);
  if (clean === "") return undefined;
  const hash = clean.length >= 24 ? readHash(clean) : undefined;
  if (hash) return "reason" in hash ? hash : { type, hashed: true, bytes: hash.bytes };
  if (hashed && !clean.includes("@") && type === "email") return { reason: "hash_length" };
  const spelled = type === "email" ? readEmail(clean) : readPhone(clean, country);
  if (spelled) return { type, hashed: false, ...spelled };
  return { reason: hashed ? "hash_length" : type === "email" ? "invalid_email" : "invalid_phone" };
}

/** A byte-order mark and non-breaking spaces go before any rule, as do spaces around. */
function cleanValue(value: string): string {
  return (/[\ufeff\u00a0]/.test(value) ? value.replace(/[\ufeff\u00a0]+/g, "") : value).trim();
}

/** `j***@e***`, `+1***`, `5f4d…`: enough to find the row again, not to read the value. */
export function maskValue(value: string): string {
  const clean = cleanValue(value).replace(/\p{Cc}/gu, "");
  const at = clean.indexOf("@");
  const first = (text: string, count = 1) => [...text.slice(0, 8)].slice(0, count).join("");
  if (at >= 0) return `${first(clean.slice(0, at))}***@${first(clean.slice(at + 1))}***`;
  return `${first(clean, /^\+?\d/.test(clean) ? 2 : 1)}***`;
}
