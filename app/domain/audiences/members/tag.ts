import { allFamilies, familyBits } from "../rule-sets.ts";

/**
 * What a hash in an audience is, in one byte: its kind (bits 0–2), the rule families that it is right for (bits 3–6),
 * and whether other spellings of the same identifier are there too (bit 7). Pure.
 */
export const kinds = {
  /** The first e-mail address of somebody. Counts. */
  email: 0,
  emailFurther: 1,
  /** The phone of somebody without an e-mail address. Counts. */
  phone: 2,
  phoneFurther: 3,
  /** Came hashed, so nobody knows by which rule. Counts. */
  hash: 4,
  hashFurther: 5,
  /** The hashed phone of somebody without an e-mail address. Counts. */
  hashPhone: 6,
  /** How a family writes an identifier whose own hash, which follows Google's rule, is another. */
  spelling: 7,
} as const;
export type Kind = (typeof kinds)[keyof typeof kinds];

const spelledBit = 128;

export function tagOf(kind: Kind, families: number, spelled = false): number {
  return kind | (families << 3) | (spelled ? spelledBit : 0);
}

export function kindOf(tag: number): number {
  return tag & 7;
}

export function familiesOf(tag: number): number {
  return (tag >> 3) & 15;
}

export function isSpelled(tag: number): boolean {
  return tag >= spelledBit;
}

/**
 * Whether a hash is of an e-mail address or of a phone, which destinations take in fields of their own. `unknown`: a further
 * identifier that came hashed. `own`: another spelling that a hash of unknown rule was equal to, so that its families say
 * nothing any more; the identifier's own hash tells. (A phone is spelled otherwise by Meta's family alone, an address never
 * without another's: `tests/domain/audiences/destination-members.test.ts` holds the rules to it.) Pure.
 */
export function identifierOf(tag: number): "email" | "phone" | "unknown" | "own" {
  switch (tag & 7) {
    case kinds.phone:
    case kinds.phoneFurther:
    case kinds.hashPhone:
      return "phone";
    case kinds.hashFurther:
      return "unknown";
    case kinds.spelling:
      if (familiesOf(tag) === allFamilies) return "own";
      return familiesOf(tag) === familyBits.meta ? "phone" : "email";
    default:
      return "email";
  }
}

const countedKinds = (1 << kinds.email) | (1 << kinds.phone) | (1 << kinds.hash) | (1 << kinds.hashPhone);

/** 1 when the hash stands for a person, else 0. */
export function countOf(tag: number): 0 | 1 {
  return (countedKinds >> (tag & 7)) & 1 ? 1 : 0;
}

const emailBit = 1 << kinds.email;
const emailFurtherBit = 1 << kinds.emailFurther;
const phoneBit = 1 << kinds.phone;
const phoneFurtherBit = 1 << kinds.phoneFurther;
const hashBit = 1 << kinds.hash;
const hashFurtherBit = 1 << kinds.hashFurther;
const rawBits = emailBit | emailFurtherBit | phoneBit | phoneFurtherBit;
/** A phone that somebody with an e-mail address has is that person. */
const ownsPhone = phoneFurtherBit | hashBit | hashFurtherBit;

/**
 * What one hash is that came as several things: the union of them, whatever their order was (audiences.md: people are the
 * keys of raw identifiers together with hashes equal to none of their variants).
 */
export function resolveTags(a: number, b: number): number {
  const bits = (1 << (a & 7)) | (1 << (b & 7));
  const rest = (a | b) & ~7;
  if (bits & rawBits) {
    if (bits & emailBit) return rest | kinds.email;
    if (bits & emailFurtherBit) return rest | kinds.emailFurther;
    return rest | (bits & ownsPhone ? kinds.phoneFurther : kinds.phone);
  }
  if (bits & (1 << kinds.spelling)) return rest | kinds.spelling;
  if (bits & hashBit) return rest | kinds.hash;
  return rest | (bits & hashFurtherBit ? kinds.hashFurther : kinds.hashPhone);
}
