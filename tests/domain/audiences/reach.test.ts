import { eq, inArray } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { readBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { indexRange, sampleHashRange } from "#app/domain/audiences/members/hash-sample.ts";
import { createDueSnapshots } from "#app/domain/audiences/snapshots/create-due-snapshots.server.ts";
import { currentSnapshots } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { audienceSnapshots, audiences, reachQuestions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, people, upload } from "./an-audience.ts";
import { audienceOfHashes, numbered, person } from "./audience-of-hashes.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const ask = (...audienceIds: AudienceId[]) => estimateReach(world.northwind, { audienceIds });
const harborAudience = (count: number, from = 0) => audienceOfHashes(world.harbor, numbered(count, from));
const fernAudience = (count: number, from = 0) => audienceOfHashes(world.fern, numbered(count, from));
const snapshotOf = async (id: AudienceId) => {
  const [row] = await db().select().from(audienceSnapshots).where(eq(audienceSnapshots.audienceId, id));
  return row;
};

describe("the reach of several audiences", () => {
  test("counts people in several of them once", async () => {
    const [first, second] = [await harborAudience(12_000), await fernAudience(12_000, 3_000)];
    // Three quarters of one are in the other, so between 0.7 and 0.8 of 10,000 to 25,000 are left out.
    expect(await ask(first, second)).toEqual({ from: 12_000, to: 33_000 });
    expect(await ask(first, await fernAudience(4_000, 50_000))).toEqual({ from: 12_000, to: 30_000 });
  });

  test("is accurate for large audiences, which are compared by samples", async () => {
    const [first, second] = [await harborAudience(70_000), await fernAudience(70_000, 35_000)];
    const { from, to } = await ask(first, second);
    // Half of one is in the other, give or take a tenth.
    expect([70_000, 75_000]).toContain(from);
    expect([150_000, 160_000]).toContain(to);
    const { people: list, level } = (await snapshotOf(first)) ?? expect.fail();
    expect(level).toBe(2);
    expect(list.length / 8).toBeGreaterThan(17_000);
    expect(list.length / 8).toBeLessThan(18_000);
  });

  test("of crafted hashes takes no more space than others", async () => {
    const low = numbered(70_000, 1_000_000);
    for (const hash of low) hash.writeUInt16BE(0);
    const made = await audienceOfHashes(world.harbor, low);
    const { from } = await ask(made, await fernAudience(70_000));
    // They share nobody, but the noise exceeds the threshold of two standard deviations once in 44 runs.
    expect([95_000, 100_000]).toContain(from);
    expect((await snapshotOf(made))?.people.length).toBeLessThan(8 * 41_000);
  });

  test("agrees with the list, and a single audience costs no budget", async () => {
    const asked = await db().$count(reachQuestions);
    for (const { id, estimatedSize, publishedSize } of (await listAudiences(world.northwind, {})).rows) {
      const reach = await ask(id);
      expect(reach).toEqual(publishedSize);
      expect(estimatedSize).toBe(reach.from);
    }
    expect(await db().$count(reachQuestions)).toBe(asked);
  });
});

describe("the snapshot of a day", () => {
  test("hides changes until the next day", async () => {
    const id = await harborAudience(1_500);
    const other = await fernAudience(3_500, 10_000);
    expect(await ask(id)).toEqual({ from: 1_000, to: 2_500 });
    await upload(world.harbor, { audienceId: id, files: [people(7_000)] });
    expect(await ask(id)).toEqual({ from: 1_000, to: 2_500 });
    expect(await ask(id, other)).toEqual({ from: 3_500, to: 7_500 });
    world.advanceDays(1);
    expect(await ask(id)).toEqual({ from: 5_000, to: 10_000 });
  });

  test("is taken by the first query, also of an audience that did not change since yesterday", async () => {
    const id = await harborAudience(1_500);
    await ask(id);
    world.advanceDays(1);
    await ask(id);
    await upload(world.harbor, { audienceId: id, files: [people(7_000)] });
    expect(await ask(id)).toEqual({ from: 1_000, to: 2_500 });
    expect(await snapshotOf(id)).toMatchObject({ version: 1 });
  });

  test("of an audience that did not change stays the same over the days, and so do results", async () => {
    const choice = [await harborAudience(4_000), await fernAudience(4_000, 1_500)];
    const before = await Promise.all(choice.map(snapshotOf));
    const range = await ask(...choice);
    const snapshots = await Promise.all(choice.map(snapshotOf));
    expect(before).toEqual([undefined, undefined]);
    for (let day = 1; day <= 5; day += 1) {
      world.advanceDays(1);
      expect(await ask(...choice)).toEqual(range);
    }
    const kept = await Promise.all(choice.map(snapshotOf));
    expect(kept).toEqual(snapshots.map((one) => ({ ...one, takenOn: world.today() })));
  });

  test("is taken at the beginning of a day, before any query", async () => {
    const id = await harborAudience(1_500);
    await createDueSnapshots(world.job);
    expect(await createDueSnapshots(world.job)).toBe(0);
    expect(await snapshotOf(id)).toMatchObject({ takenOn: world.today(), size: 1_500 });
    world.advanceDays(1);
    expect(await createDueSnapshots(world.job)).toBeGreaterThan(0);
    expect(await snapshotOf(id)).toMatchObject({ takenOn: world.today() });
  });

  test("is deleted with its audience", async () => {
    const id = await harborAudience(1_500);
    await ask(id);
    await archiveAudience(world.harbor, { id });
    expect(await snapshotOf(id)).toBeUndefined();
    // As by a page or a job that listed the audience before.
    expect(await currentSnapshots(world.job, [id])).toEqual([]);
    expect(await snapshotOf(id)).toBeUndefined();
    await expectDomainError(ask(id, await fernAudience(2_000)), "invalid_input");
  });
});

describe("an erasure", () => {
  const hex = (hash: Buffer) => hash.toString("hex");
  const holds = async (id: AudienceId, hash: Buffer) =>
    (await snapshotOf(id))?.people.includes(hash.subarray(0, 8)) ?? false;

  test("removes people from the snapshot at once, with new noise", async () => {
    const id = await harborAudience(1_500);
    await ask(id);
    expect(await holds(id, person(7))).toBe(true);
    await eraseIdentifiers(world.harbor, { identifiers: [hex(person(7))] });
    expect(await holds(id, person(7))).toBe(false);
    expect(await snapshotOf(id)).toMatchObject({ size: 1_499, version: 1, erasures: 1 });
    world.advanceDays(1);
    await ask(id);
    expect(await snapshotOf(id)).toMatchObject({ size: 1_499, version: 2, erasures: 0 });
  });

  test("also removes those who were removed before it on the day, and adds nobody", async () => {
    const id = await harborAudience(1_500);
    await ask(id);
    const change = (list: "add" | "remove", number: number) =>
      updateMembers(world.harbor, {
        audienceId: id,
        add: [],
        remove: [],
        [list]: [{ email_sha256: hex(person(number)) }],
      });
    await change("remove", 7);
    await change("add", 90_000);
    expect(await holds(id, person(7))).toBe(true);
    await eraseIdentifiers(world.harbor, { identifiers: [hex(person(7))] });
    expect(await holds(id, person(7))).toBe(false);
    expect(await holds(id, person(90_000))).toBe(false);
    expect((await snapshotOf(id))?.people.length).toBe(8 * 1_499);
  });

  test("waits for a snapshot in progress, which afterwards contains nobody who was erased", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await harborAudience(20_000);
      // On a busy machine the erasure may hold the audience for longer than a question waits, which says so.
      const asked = ask(id).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "unavailable" });
      });
      await Promise.all([asked, eraseIdentifiers(world.harbor, { identifiers: [hex(person(7))] })]);
      await ask(id);
      expect(await holds(id, person(7))).toBe(false);
      expect((await audienceRow(world.harbor, id)).size).toBe(19_999);
    }
  });
});

describe("the budget of selections", () => {
  /** Inserts selections that the advertiser has made today; `first` is the number of the first one. */
  async function addSelections({ first, count }: { first: number; count: number }): Promise<void> {
    const own = { accountId: world.northwind.actor.accountId, day: world.today(), reachFrom: 1, reachTo: 2 };
    await db()
      .insert(reachQuestions)
      .values(Array.from({ length: count }, (_, index) => ({ ...own, number: first + index, choice: person(index) })));
  }

  test("is 200 a day for an account; repeated selections are free, and other accounts have their own", async () => {
    world.advanceDays(1);
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => harborAudience(1_100, index * 2_000)));
    const pairs = ids.flatMap((one, index) => ids.slice(index + 1).map((other) => [one, other] as const));
    const range = await ask(...(pairs[0] ?? []));
    await addSelections({ first: 2, count: 189 });
    for (const pair of pairs.slice(1, 11)) await ask(...pair);
    const beyond = pairs[11] ?? [];
    await expectDomainError(ask(...beyond), "rate_limited", /200 different selections/);
    expect(await ask(...(pairs[0]?.toReversed() ?? []))).toEqual(range);
    await expect(estimateReach(world.brightside, { audienceIds: beyond })).resolves.toBeDefined();
    world.advanceDays(1);
    await expect(ask(...beyond)).resolves.toBeDefined();
    const accountId = world.northwind.actor.accountId;
    const left = await db().select().from(reachQuestions).where(eq(reachQuestions.accountId, accountId));
    expect(left.map(({ day }) => day)).toEqual([world.today()]);
  });

  test("is not exceeded by concurrent queries", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => harborAudience(1_100, index * 2_000)));
    world.advanceDays(1);
    await addSelections({ first: 1, count: 195 });
    const pairs = ids.flatMap((one, index) => ids.slice(index + 1).map((other) => [one, other] as const));
    const answers = await Promise.allSettled(pairs.slice(0, 12).map((pair) => ask(...pair)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await db().$count(reachQuestions, eq(reachQuestions.day, world.today()))).toBe(200);
  });
});

test("an audience that is locked for long is reported as of its last snapshot, or not at all", async () => {
  const [known, fresh] = [await harborAudience(1_500), await harborAudience(1_500, 5_000)];
  await ask(known);
  await upload(world.harbor, { audienceId: known, files: [people(7_000)] });
  world.advanceDays(1);
  await db().transaction(async (tx) => {
    await tx
      .select()
      .from(audiences)
      .where(inArray(audiences.id, [known, fresh]))
      .for("no key update");
    expect(await ask(known)).toEqual({ from: 1_000, to: 2_500 });
    await expectDomainError(ask(fresh), "unavailable");
    const rows = (await listAudiences(world.northwind, {})).rows;
    expect(rows.find(({ id }) => id === fresh)).toMatchObject({ estimatedSize: 0, publishedSize: null });
  });
  expect(await ask(known)).toEqual({ from: 5_000, to: 10_000 });
});

test("the blocks of a range are all those with hashes in it, wherever it begins", async () => {
  const hashes = numbered(20_000);
  const audienceId = await audienceOfHashes(world.harbor, hashes);
  const place = {
    audienceId,
    generation: (await audienceRow(world.harbor, audienceId)).generation,
    store: "rows",
  } as const;
  for (const [share, at] of [
    [0.01, 0],
    [0.01, 1],
    [0.2, 0.123],
    [0.2, 0.777],
    [1, 0],
  ] as const) {
    const range = sampleHashRange(share, at);
    let found = 0;
    for await (const block of readBlocks(db(), place, { range })) {
      const { start, end } = indexRange(block, range);
      found += end - start;
    }
    const inside = hashes.filter((hash) => hash.compare(range.from) >= 0 && hash.compare(range.to) < 0);
    expect(found).toBe(inside.length);
  }
});

test("an audience that is no longer ready is not reported", async () => {
  const id = await harborAudience(1_500);
  await ask(id);
  await db().update(audiences).set({ status: "below_minimum" }).where(eq(audiences.id, id));
  await expectDomainError(ask(id), "invalid_input");
  expect((await listAudiences(world.northwind, {})).rows.map((row) => row.id)).not.toContain(id);
});
