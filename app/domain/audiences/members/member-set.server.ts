import { hash } from "node:crypto";
import { allProfiles } from "../rule-sets.ts";
import type { Block } from "./block.ts";
import { identifierKinds, packFlags } from "./identifier-flags.ts";
import type { Identifier } from "./parse-identifier.ts";
import type { NormalizedAddress, PostalAddress } from "./postal-address.ts";
import { SegmentedBucket } from "./segmented-bucket.ts";

const primaryKinds = { email: identifierKinds.email, phone: identifierKinds.phone } as const;
const secondaryKinds = { email: identifierKinds.secondaryEmail, phone: identifierKinds.secondaryPhone } as const;

/**
 * The hashes of people as they are read, in 256 buckets by first byte that are sorted separately. Uses 33 bytes per
 * hash and 32 more per variant; raw identifiers are not stored.
 */
export class MemberSet {
  private readonly buckets = Array.from({ length: 256 }, () => new SegmentedBucket());

  /** Adds one row's identifiers as one person. */
  addPerson(identifiers: readonly Identifier[]): void {
    for (const { hash, tag, canonicalHash } of hashesOfPerson(identifiers)) {
      this.buckets[hash.charCodeAt(0)]?.put(hash, tag, canonicalHash);
    }
  }

  /** Returns the hashes of bucket `index`, sorted and without duplicates, and empties the bucket. */
  drainBucket(index: number): Block {
    const bucket = this.buckets[index];
    if (!bucket) throw new RangeError(`bucket index ${index} is out of range 0–255`);
    return bucket.drainSorted();
  }
}

/** A hash as 32 bytes in a `latin1` string, with its flags. A variant has the canonical hash of its identifier. */
export type FlaggedHash = { hash: string; tag: number; canonicalHash?: string };

/**
 * Returns all hashes of one row's identifiers as one person. The first email address is the primary key, otherwise the
 * phone number; the others are secondary. Of several phone numbers without an address the smallest hash is primary, so
 * that their order does not matter.
 */
export function hashesOfPerson(identifiers: readonly Identifier[]): FlaggedHash[] {
  const [only] = identifiers;
  if (only && identifiers.length === 1) return hashesOfIdentifier(only);
  const primary = identifiers.find((identifier) => identifier.type === "email") ?? smallest(identifiers);
  return identifiers.flatMap((identifier) => hashesOfIdentifier(identifier, identifier !== primary));
}

/** Returns the hash that a row's person is counted by, of at least one identifier. */
export function primaryHash(identifiers: readonly Identifier[]): string {
  const primary = identifiers.find((identifier) => identifier.type === "email") ?? smallest(identifiers);
  if (!primary) throw new RangeError("a person without identifiers has no hash");
  return primary.hashed ? primary.bytes : sha256(primary.text);
}

/** Returns all hashes of one identifier, the canonical one first. */
export function hashesOfIdentifier(identifier: Identifier, isSecondary = false): FlaggedHash[] {
  const { type } = identifier;
  if (identifier.hashed) {
    const kind = isSecondary
      ? identifierKinds.secondaryHash
      : type === "email"
        ? identifierKinds.hash
        : identifierKinds.hashPhone;
    return [{ hash: identifier.bytes, tag: packFlags(kind, allProfiles) }];
  }
  const { text, profiles, variants } = identifier;
  const canonicalHash = sha256(text);
  const key = {
    hash: canonicalHash,
    tag: packFlags((isSecondary ? secondaryKinds : primaryKinds)[type], profiles, variants.length > 0),
  };
  if (variants.length === 0) return [key];
  return [
    key,
    ...variants.map((other) => ({
      hash: sha256(other.text),
      tag: packFlags(identifierKinds.variant, other.profiles),
      canonicalHash,
    })),
  ];
}

/** Hashes the names of an address that are not hashed already. */
export function hashAddress({ givenName, familyName, ...place }: NormalizedAddress): PostalAddress {
  const hashOf = (name: NormalizedAddress["givenName"]) => (name.hashed ? name.bytes : sha256(name.text));
  return { ...place, givenName: hashOf(givenName), familyName: hashOf(familyName) };
}

/** SHA-256 of the UTF-8 text as 32 bytes in a `latin1` string, twice as fast as one buffer per hash. */
export function sha256(text: string): string {
  return hash("sha256", text, "binary");
}

function smallest(identifiers: readonly Identifier[]): Identifier | undefined {
  const key = (identifier: Identifier) => (identifier.hashed ? identifier.bytes : sha256(identifier.text));
  return identifiers.reduce<Identifier | undefined>((smallestSoFar, one) => {
    if (!smallestSoFar) return one;
    // A raw phone number has all its variants; a hashed one equals at most one of them.
    if (smallestSoFar.hashed !== one.hashed) return smallestSoFar.hashed ? one : smallestSoFar;
    return key(one) < key(smallestSoFar) ? one : smallestSoFar;
  }, undefined);
}
