import { unwrapFormulaText } from "#app/sheets/formula-text.ts";
import { unsavedFormula } from "#app/sheets/numbers/format-cell.ts";
import { removeInvisible } from "../../visible-text.ts";
import type { InvalidReason } from "../audience.ts";
import { type NormalizedIdentifier, normalizeEmail } from "./normalize-email.ts";
import { normalizePhone } from "./normalize-phone.ts";
import { parseHash } from "./parse-hash.ts";

export const identifierTypes = ["email", "phone"] as const;
export type IdentifierType = (typeof identifierTypes)[number];

/** One parsed identifier: raw, or already hashed with an unknown normalization. */
export type Identifier =
  | ({ type: IdentifierType; hashed: false } & NormalizedIdentifier)
  | { type: IdentifierType; hashed: true; bytes: string };
export type InvalidIdentifier = { reason: InvalidReason };

type ParseOptions = {
  type: IdentifierType;
  /** The column or field is declared as hashed, so a value that is not a hash is not treated as a raw value either. */
  hashed?: boolean;
  /** The ISO code used for a phone number without `+`. */
  country?: string | undefined;
};

/** Parses one value by its format. Returns undefined when it is blank. */
export function parseIdentifier(
  value: string,
  { type, hashed, country }: ParseOptions,
): Identifier | InvalidIdentifier | undefined {
  const clean = cleanValue(unwrapFormulaText(cleanValue(value)));
  if (clean === "") return undefined;
  if (clean === unsavedFormula) return { reason: "unsaved_formula" };
  const hash = clean.length >= 24 ? parseHash(clean) : undefined;
  if (hash) return "reason" in hash ? hash : { type, hashed: true, bytes: hash.bytes };
  if (hashed && !clean.includes("@") && type === "email") return { reason: "hash_length" };
  const normalized = type === "email" ? normalizeEmail(clean) : normalizePhone(clean, country);
  if (normalized) return { type, hashed: false, ...normalized };
  return { reason: hashed ? "hash_length" : type === "email" ? "invalid_email" : "invalid_phone" };
}

/**
 * Removes byte-order marks, non-breaking spaces, the marks of writing direction that address books put around a number,
 * other invisible characters, and surrounding spaces before any rule applies: nobody sees them, and a value with one
 * would be hashed as another person's.
 */
function cleanValue(value: string): string {
  return (beyondAscii.test(value) ? removeInvisible(value).replace(invisibleHere, "") : value).trim();
}

const beyondAscii = /[^\0-\x7f]/;
/** Non-breaking spaces, and the joiners and variation selectors that follow no letter of a script which needs them. */
const invisibleHere = /\u00a0|(?<![^\0-\x7f\s])[\p{Join_Control}\p{Variation_Selector}]+/gu;

/** `j***@e***`, `+1***`, `5f4d…`: enough to find the row, not enough to read the value. */
export function maskValue(value: string): string {
  const clean = cleanValue(value).replace(/\p{Cc}/gu, "");
  const at = clean.indexOf("@");
  const first = (text: string, count = 1) => [...text.slice(0, 8)].slice(0, count).join("");
  if (at >= 0) return `${first(clean.slice(0, at))}***@${first(clean.slice(at + 1))}***`;
  return `${first(clean, /^\+?\d/.test(clean) ? 2 : 1)}***`;
}
