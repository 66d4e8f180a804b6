import { createHash, randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { roundedSize } from "#app/domain/audiences/audience.ts";
import { countPeopleInSteps } from "#app/domain/audiences/count-people.server.ts";
import { readBlocks, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { boundsOf, rangeOf, within } from "#app/domain/audiences/members/sample.ts";
import { kinds, tagOf } from "#app/domain/audiences/members/tag.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { anAudience } from "./an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

const perBlock = 1_024;
const person = (number: number) => createHash("sha256").update(String(number)).digest();
const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => person(from + index));

/** An audience of these hashes, in blocks as an upload writes them. */
async function audienceOf(hashes: Buffer[]) {
  const audienceId = await anAudience(world.harbor);
  const sorted = hashes.toSorted(Buffer.compare);
  const blocks = Array.from({ length: Math.ceil(sorted.length / perBlock) }, (_, index) => {
    const some = sorted.slice(index * perBlock, (index + 1) * perBlock);
    const tags = new Uint8Array(some.length).fill(tagOf(kinds.email, 15));
    return { hashes: Buffer.concat(some), tags, spellings: new Uint8Array(0) };
  });
  await writeBlocks(db(), { audienceId, generation: 1 }, blocks);
  return { audienceId, generation: 1, size: sorted.length };
}

/** So many that a part of them is looked at first. */
const size = 85_000;
let made: ReturnType<typeof audienceOf> | undefined;
function base() {
  made ??= audienceOf(numbered(size));
  return made;
}

/** The step, and how many blocks it took to find it. */
async function count(audiences: Awaited<ReturnType<typeof audienceOf>>[]) {
  let blocks = 0;
  const onBlock = () => {
    blocks += 1;
  };
  return { step: await countPeopleInSteps(db(), { audiences, onBlock }), blocks };
}

const blocksOf = (people: number) => Math.ceil(people / perBlock);

describe("the people of several large audiences", () => {
  test("are told from a part of them, each counted once", async () => {
    const audiences = [await base(), await audienceOf(numbered(size, 45_000))];
    for (let round = 0; round < 5; round += 1) {
      const { step, blocks } = await count(audiences);
      expect(step).toBe(100_000);
      expect(blocks).toBeLessThan(blocksOf(2 * size) / 2);
    }
  });

  test.each([99_999, 100_000])("are all counted near a step: %i", async (people) => {
    const { step, blocks } = await count([await base(), await audienceOf(numbered(size, people - size))]);
    expect(step).toBe(roundedSize(people));
    expect(blocks).toBeGreaterThanOrEqual(blocksOf(2 * size));
  });

  test("are all counted where their hashes were made up to lie together", async () => {
    const together = numbered(30_000, 1_000_000);
    for (const hash of together) hash.writeUInt16BE(0xffff);
    const { step, blocks } = await count([await base(), await audienceOf(together)]);
    expect(step).toBe(100_000);
    expect(blocks).toBeGreaterThanOrEqual(blocksOf(size + 30_000));
  });
});

test("the blocks of a range are all that have hashes of it, wherever it begins", async () => {
  const hashes = numbered(20_000);
  const place = await audienceOf(hashes);
  for (const [share, at] of [
    [0.01, 0],
    [0.01, 1],
    [0.2, 0.123],
    [0.2, randomInt(1_000) / 1_000],
    [1, 0],
  ] as const) {
    const range = rangeOf(share, at);
    let found = 0;
    for await (const block of readBlocks(db(), place, range)) {
      const { start, end } = within(block, range);
      found += end - start;
    }
    const inside = hashes.filter((hash) => hash.compare(range.from) >= 0 && hash.compare(range.to) < 0);
    expect(found).toBe(inside.length);
  }
});

describe("what a sample says of the whole", () => {
  test("holds for samples taken by lot, and says nothing wrong of none", () => {
    let naive = 0;
    for (let round = 0; round < 100; round += 1) {
      const people = 1_000 + randomInt(50_000);
      const share = (1 + randomInt(30)) / 100;
      const seen = Array.from({ length: people }, () => Math.random() < share).filter(Boolean).length;
      const { least, most } = boundsOf(seen, share);
      expect(least).toBeLessThanOrEqual(people);
      expect(most).toBeGreaterThanOrEqual(people);
      // The control: one deviation instead of bounds is too little, as often as one knows.
      if (Math.abs(seen / share - people) > Math.sqrt(people * share) / share) naive += 1;
    }
    expect(naive).toBeGreaterThan(5);
    expect(boundsOf(0, 0.1).least).toBe(0);
    expect(boundsOf(0, 0.1).most).toBeGreaterThan(100);
  });

  test("is within four per cent of 40,000 that were seen", () => {
    const { least, most } = boundsOf(40_000, 0.02);
    expect(least).toBeGreaterThan(2_000_000 * 0.96);
    expect(most).toBeLessThan(2_000_000 * 1.04);
  });
});
