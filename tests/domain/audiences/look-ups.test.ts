import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import {
  findBlocks,
  newGeneration,
  readVariantBlocks,
  writeBlocks,
} from "#app/domain/audiences/members/audience-blocks.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { cutBlock } from "#app/domain/audiences/members/block-builder.ts";
import { BlockEditor } from "#app/domain/audiences/members/block-editor.server.ts";
import type { Generations } from "#app/domain/audiences/members/deltas.ts";
import { identifierKinds, packFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { MemberLookUp } from "#app/domain/audiences/members/member-look-up.server.ts";
import { blocksPerBatch } from "#app/domain/audiences/members/stores/row-writer.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { createEmptyAudience } from "./an-audience.ts";
import { numbered } from "./audience-of-hashes.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Hashes that a publisher may have chosen: many begin with the same bytes, others are far apart. */
const chosenHashes = fc
  .array(
    fc.record({ count: fc.integer({ min: 1, max: 900 }), same: fc.constantFrom(0, 1, 4, 8, 31), begin: fc.nat(255) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((groups) =>
    groups.flatMap(({ count, same, begin }, group) =>
      Array.from({ length: same === 31 ? Math.min(count, 200) : count }, (_, index) => {
        const hash = digest(`${group}/${index}`).fill(begin, 0, same);
        if (same === 31) hash[31] = index;
        return hash;
      }),
    ),
  );

/** A block of these hashes in which every third is a variant, and every fifth has an address. */
function blockOf(hashes: readonly Buffer[], name: string): Block {
  const distinct = [...new Set(hashes.map((hash) => hash.toString("latin1")))].sort();
  const isVariant = (index: number) => index % 3 === 1;
  return {
    hashes: Buffer.from(distinct.join(""), "latin1"),
    flags: Uint8Array.from(distinct, (_, index) =>
      packFlags(isVariant(index) ? identifierKinds.variant : identifierKinds.email, 1 + (index % 15)),
    ),
    canonicalHashes: Buffer.concat(
      distinct.flatMap((_, index) => (isVariant(index) ? digest(`${name}/${index}`) : [])),
    ),
    addresses: new Map(
      distinct.flatMap((hash, index) => (index % 5 === 0 ? [[hash, `${name} ${index}`] as const] : [])),
    ),
  };
}

/** Writes an audience with a base and a delta over it. */
async function audienceOf(base: Block, delta: Block): Promise<Generations> {
  const audienceId = await createEmptyAudience(world.harbor);
  const place = await newGeneration(db(), audienceId, "rows");
  const { generation } = await newGeneration(db(), audienceId, "rows");
  await writeBlocks(db(), place, cutBlock(base));
  await writeBlocks(db(), { ...place, generation }, cutBlock(delta));
  const list = [{ generation, hashes: delta.flags.length, removedSince: null }];
  return { ...place, deltas: { version: 1, baseHashes: base.flags.length, list } };
}

function hashesIn({ hashes, flags }: Block): string[] {
  return Array.from(flags, (_, index) => Buffer.from(hashes.subarray(32 * index, 32 * (index + 1))).toString("latin1"));
}

test("a look-up finds in parts of blocks what it finds in whole ones, however their hashes are distributed", async () => {
  await fc.assert(
    fc.asyncProperty(chosenHashes, chosenHashes, async (some, others) => {
      const [base, delta] = [blockOf(some, "base"), blockOf([...others, ...some.slice(0, 50)], "delta")];
      const place = await audienceOf(base, delta);
      const stored = [...hashesIn(base), ...hashesIn(delta)];
      const step = Math.max(1, Math.floor(stored.length / 24));
      const sample = stored.filter((_, index) => index % step === 0);
      const absent = [Buffer.alloc(32), Buffer.alloc(32, 255), digest("nobody")].map((hash) => hash.toString("latin1"));
      for (const length of [1, 3])
        for (let from = 0; from < sample.length; from += length) {
          const hashes = [...sample.slice(from, from + length), absent[from % 3] ?? ""];
          const [inParts, inWhole] = [new MemberLookUp(db(), place), new BlockEditor(db(), place)];
          await inParts.load(hashes);
          await inWhole.load(hashes);
          for (const hash of hashes) expect(inParts.find(hash)).toEqual(inWhole.find(hash));
        }
    }),
    { numRuns: 4 },
  );
});

test("a look-up of one hash reads an eighth of a block, where hashes are evenly distributed", async () => {
  const hashes = numbered(4_000);
  const place = await audienceOf(blockOf(hashes, "base"), blockOf(hashes.slice(0, 2_000), "delta"));
  for (const hash of hashes.slice(0, 200)) {
    const wanted = hash.toString("latin1");
    const parts = await findBlocks(db(), place, { hashes: [wanted], parts: true });
    expect(parts.map(({ flags }) => flags.length)).toEqual([128, 128]);
    for (const part of parts) expect(hashesIn(part)).toContain(wanted);
  }
});

test("variants are looked for in the base and the deltas, with a few blocks in memory at a time", async () => {
  const someone = digest("someone");
  const variant = (hashes: Buffer): Block => ({
    hashes,
    flags: Uint8Array.of(packFlags(identifierKinds.variant, 1)),
    canonicalHashes: someone,
  });
  const email = packFlags(identifierKinds.email, 1);
  const other: Block = { hashes: digest("other"), flags: Uint8Array.of(email), canonicalHashes: Buffer.alloc(0) };
  const audienceId = await createEmptyAudience(world.harbor);
  const place = await newGeneration(db(), audienceId, "rows");
  const { generation } = await newGeneration(db(), audienceId, "rows");
  const base = [...numbered(4 * blocksPerBatch).map(variant), other];
  await writeBlocks(
    db(),
    place,
    base.sort((one, two) => Buffer.compare(one.hashes, two.hashes)),
  );
  await writeBlocks(db(), { ...place, generation }, [variant(digest("newer"))]);
  const list = [{ generation, hashes: 1, removedSince: null }];
  const members = { ...place, deltas: { version: 1, baseHashes: 4 * blocksPerBatch + 1, list } };
  const found = await new MemberLookUp(db(), members).findVariants(new Set([someone.toString("latin1")]));
  const expected = [...numbered(4 * blocksPerBatch), digest("newer")].map((hash) => hash.toString("latin1"));
  expect(found.sort()).toEqual(expected.sort());

  const blocks = readVariantBlocks(db(), members);
  await blocks.next();
  await db().delete(audienceBlocks).where(eq(audienceBlocks.audienceId, audienceId));
  let count = 1;
  for await (const _ of blocks) count += 1;
  expect(count).toBeLessThanOrEqual(2 * blocksPerBatch);
});
