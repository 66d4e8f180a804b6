import { allProfiles, profileBits } from "../rule-sets.ts";

/**
 * Describes a stored hash in one byte: its kind (bits 0–2), the normalization profiles that it is valid for (bits 3–6),
 * and whether variants of the same identifier are stored too (bit 7). Pure.
 */
export const identifierKinds = {
  /** A person's first email address. Counts as a person. */
  email: 0,
  secondaryEmail: 1,
  /** The phone number of a person without an email address. Counts as a person. */
  phone: 2,
  secondaryPhone: 3,
  /** Uploaded as a hash, so its normalization is unknown. Counts as a person. */
  hash: 4,
  secondaryHash: 5,
  /** The hashed phone number of a person without an email address. Counts as a person. */
  hashPhone: 6,
  /** A profile's variant of an identifier whose canonical hash follows Google's rule and differs. */
  variant: 7,
} as const;
export type IdentifierKind = (typeof identifierKinds)[keyof typeof identifierKinds];

const variantsBit = 128;

export function packFlags(kind: IdentifierKind, profiles: number, hasOtherVariants = false): number {
  return kind | (profiles << 3) | (hasOtherVariants ? variantsBit : 0);
}

export function kindFromFlags(tag: number): number {
  return tag & 7;
}

export function profilesFromFlags(tag: number): number {
  return (tag >> 3) & 15;
}

export function hasVariants(tag: number): boolean {
  return tag >= variantsBit;
}

/**
 * Returns whether a hash is of an email address or of a phone number, which destinations expect in separate fields.
 * `unknown`: a secondary identifier that was uploaded as a hash. `own`: a variant equal to an uploaded hash, so that
 * its profiles no longer show the type; its canonical hash does. (Only Meta's profile writes phone numbers differently,
 * and no email variant is Meta's alone: `tests/domain/audiences/destination-members.test.ts` checks this.) Pure.
 */
export function identifierTypeFromFlags(tag: number): "email" | "phone" | "unknown" | "own" {
  switch (tag & 7) {
    case identifierKinds.phone:
    case identifierKinds.secondaryPhone:
    case identifierKinds.hashPhone:
      return "phone";
    case identifierKinds.secondaryHash:
      return "unknown";
    case identifierKinds.variant:
      if (profilesFromFlags(tag) === allProfiles) return "own";
      return profilesFromFlags(tag) === profileBits.meta ? "phone" : "email";
    default:
      return "email";
  }
}

const countedKinds =
  (1 << identifierKinds.email) |
  (1 << identifierKinds.phone) |
  (1 << identifierKinds.hash) |
  (1 << identifierKinds.hashPhone);

/** Returns 1 when the hash counts as a person, otherwise 0. */
export function personCount(tag: number): 0 | 1 {
  return (countedKinds >> (tag & 7)) & 1 ? 1 : 0;
}

const emailBit = 1 << identifierKinds.email;
const secondaryEmailBit = 1 << identifierKinds.secondaryEmail;
const phoneBit = 1 << identifierKinds.phone;
const secondaryPhoneBit = 1 << identifierKinds.secondaryPhone;
const hashBit = 1 << identifierKinds.hash;
const secondaryHashBit = 1 << identifierKinds.secondaryHash;
const rawBits = emailBit | secondaryEmailBit | phoneBit | secondaryPhoneBit;
/** A phone number that belongs to a person with an email address does not count as another person. */
const ownsPhone = secondaryPhoneBit | hashBit | secondaryHashBit;

/**
 * Merges the flags of a hash that was derived from several identifiers. The result does not depend on their order.
 * People are the primary keys of raw identifiers together with the uploaded hashes that equal none of their variants.
 */
export function mergeFlags(a: number, b: number): number {
  const bits = (1 << (a & 7)) | (1 << (b & 7));
  const rest = (a | b) & ~7;
  if (bits & rawBits) {
    if (bits & emailBit) return rest | identifierKinds.email;
    if (bits & secondaryEmailBit) return rest | identifierKinds.secondaryEmail;
    return rest | (bits & ownsPhone ? identifierKinds.secondaryPhone : identifierKinds.phone);
  }
  if (bits & (1 << identifierKinds.variant)) return rest | identifierKinds.variant;
  if (bits & hashBit) return rest | identifierKinds.hash;
  return rest | (bits & secondaryHashBit ? identifierKinds.secondaryHash : identifierKinds.hashPhone);
}
