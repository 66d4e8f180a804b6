import { hash } from "node:crypto";
import { allFamilies } from "../rule-sets.ts";
import type { Block } from "./block.ts";
import type { Identifier } from "./read-identifier.ts";
import { SegmentedBucket } from "./segmented-bucket.ts";
import { kinds, tagOf } from "./tag.ts";

const keyOf = { email: kinds.email, phone: kinds.phone } as const;
const furtherOf = { email: kinds.emailFurther, phone: kinds.phoneFurther } as const;

/**
 * The hashes of people as they are read, in 256 buckets by first byte, so that each can be sorted alone. 33 bytes a hash
 * and 32 more for each other spelling; nothing raw is kept.
 */
export class MemberSet {
  private readonly buckets = Array.from({ length: 256 }, () => new SegmentedBucket());

  /** Adds one row's identifiers as one person. */
  addPerson(identifiers: readonly Identifier[]): void {
    for (const { hash, tag, own } of hashesOfPerson(identifiers)) {
      this.buckets[hash.charCodeAt(0)]?.put(hash, tag, own);
    }
  }

  /** The hashes of bucket `index`, sorted, each once. The bucket is empty afterwards. */
  takeBucket(index: number): Block {
    const bucket = this.buckets[index];
    if (!bucket) throw new RangeError("there are 256 buckets");
    return bucket.takeSorted();
  }
}

/** A hash as 32 bytes in a `latin1` string, what it is, and the own hash of the identifier when this is another spelling. */
export type TaggedHash = { hash: string; tag: number; own?: string };

/**
 * All hashes of one row's identifiers as one person: counted by the first e-mail address, else by the phone; the others are
 * further keys. Of several phones without an address the smallest hash counts, so that their order does not matter.
 */
export function hashesOfPerson(identifiers: readonly Identifier[]): TaggedHash[] {
  const [only] = identifiers;
  if (only && identifiers.length === 1) return taggedHashesOf(only);
  const counted = identifiers.find((identifier) => identifier.type === "email") ?? smallest(identifiers);
  return identifiers.flatMap((identifier) => taggedHashesOf(identifier, identifier !== counted));
}

/** All hashes of one identifier, the own one first. */
export function taggedHashesOf(identifier: Identifier, further = false): TaggedHash[] {
  const { type } = identifier;
  if (identifier.hashed) {
    const kind = further ? kinds.hashFurther : type === "email" ? kinds.hash : kinds.hashPhone;
    return [{ hash: identifier.bytes, tag: tagOf(kind, allFamilies) }];
  }
  const { text, families, others } = identifier;
  const own = sha256(text);
  const key = { hash: own, tag: tagOf((further ? furtherOf : keyOf)[type], families, others.length > 0) };
  if (others.length === 0) return [key];
  return [
    key,
    ...others.map((other) => ({ hash: sha256(other.text), tag: tagOf(kinds.spelling, other.families), own })),
  ];
}

/** Of UTF-8, as 32 bytes in a `latin1` string: twice as fast as a buffer for each. */
export function sha256(text: string): string {
  return hash("sha256", text, "binary");
}

function smallest(identifiers: readonly Identifier[]): Identifier | undefined {
  const key = (identifier: Identifier) => (identifier.hashed ? identifier.bytes : sha256(identifier.text));
  return identifiers.reduce<Identifier | undefined>((least, one) => {
    if (!least) return one;
    // A raw phone is known by all its spellings, a hashed one by one of them at most.
    if (least.hashed !== one.hashed) return least.hashed ? one : least;
    return key(one) < key(least) ? one : least;
  }, undefined);
}
