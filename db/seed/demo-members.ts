import { createCipheriv } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { newGeneration, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { type Block, hashBytes } from "#app/domain/audiences/members/block.ts";
import { toStoredPlace } from "#app/domain/audiences/members/deltas.ts";
import { identifierKinds, packFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { allProfiles } from "#app/domain/audiences/rule-sets.ts";
import type { Database } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import { allDemoAudienceIds } from "./demo-audiences.ts";

/** Each audience shares this part of its people with the one before it. */
const shared = 0.6;

/** Inserts the members of the demo audiences: made-up people, as if they had been uploaded as hashes. */
export async function insertDemoMembers(db: Database): Promise<void> {
  const rows = await db
    .select({ id: audiences.id, size: audiences.size })
    .from(audiences)
    .where(inArray(audiences.id, allDemoAudienceIds))
    .orderBy(audiences.id);
  let from = 0;
  const ranges = rows.map(({ id, size }) => {
    const range = { id, from, until: from + size };
    from += Math.round(size * (1 - shared));
    return range;
  });
  const people = inventPeople(Math.max(...ranges.map(({ until }) => until)));
  for (const { id, ...range } of ranges) {
    const place = await newGeneration(db, id);
    await writeBlocks(db, place, blocksOf(people, range));
    await db
      .update(audiences)
      .set(toStoredPlace({ ...place, deltas: null }))
      .where(eq(audiences.id, id));
  }
}

/** `hashes` is in ascending order; `numbers` has the number of each person, in no order. */
type People = { hashes: Buffer; numbers: Uint32Array };
type Range = { from: number; until: number };

/** The number of bytes by which hashes are sorted: enough that no two are equal. */
const prefixBytes = 6;

/**
 * Invents the same people each time. Their hashes are the output of a cipher, which is as random as hashes and takes a
 * hundredth of the time.
 */
function inventPeople(count: number): People {
  const [key, counter] = [Buffer.alloc(32), Buffer.alloc(16)];
  const hashes = createCipheriv("aes-256-ctr", key, counter).update(Buffer.alloc(count * hashBytes));
  const prefixes = Float64Array.from({ length: count }, (_, index) =>
    hashes.readUIntBE(index * hashBytes, prefixBytes),
  );
  const numbers = new Uint32Array(count);
  for (const [index, prefix] of prefixes.sort().entries()) {
    hashes.writeUIntBE(prefix, index * hashBytes, prefixBytes);
    const other = hashes.readUInt32BE(index * hashBytes + prefixBytes) % (index + 1);
    numbers[index] = numbers[other] ?? index;
    numbers[other] = index;
  }
  return { hashes, numbers };
}

/** Returns the people with these numbers as blocks by the first byte of their hashes. */
function blocksOf({ hashes, numbers }: People, { from, until }: Range): Block[] {
  const own = Buffer.allocUnsafeSlow((until - from) * hashBytes);
  const ends = new Array<number>(256).fill(0);
  let end = 0;
  numbers.forEach((number, index) => {
    if (number < from || number >= until) return;
    const start = index * hashBytes;
    hashes.copy(own, end, start, start + hashBytes);
    end += hashBytes;
    ends[hashes[start] ?? 0] = end;
  });
  const flags = Buffer.alloc(until - from, packFlags(identifierKinds.hash, allProfiles));
  let start = 0;
  return ends.flatMap((blockEnd) => {
    if (blockEnd === 0) return [];
    const block = {
      hashes: own.subarray(start, blockEnd),
      flags: flags.subarray(start / hashBytes, blockEnd / hashBytes),
      canonicalHashes: none,
    };
    start = blockEnd;
    return block;
  });
}

const none = Buffer.alloc(0);
