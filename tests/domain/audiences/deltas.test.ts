import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type UploadMode, uploadModes } from "#app/domain/audiences/audience.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import type { Member } from "#app/domain/audiences/member-payloads.ts";
import { openMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import type { Generations } from "#app/domain/audiences/members/deltas.ts";
import { type BlockStoreKind, blockStoreKinds } from "#app/domain/audiences/members/generation.ts";
import { MemberLookUp } from "#app/domain/audiences/members/member-look-up.server.ts";
import { hashesOfIdentifier, sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { parseIdentifier } from "#app/domain/audiences/members/parse-identifier.ts";
import { deleteDroppedObjects } from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { mergeDeltas, mergeDueDeltas } from "#app/domain/audiences/merge-deltas.server.ts";
import { readDestinationMembers } from "#app/domain/audiences/read-destination-members.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { replaceAudienceStore } from "#app/storage/storage.server.ts";
import { audienceBlocks, audiences } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, createEmptyAudience, loadStoredHashes, openAudience, people, upload } from "./an-audience.ts";
import { listObjectFiles, listObjectRows, readAllObjects } from "./audience-objects.ts";
import { audienceOfPeople } from "./audience-of-hashes.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

afterEach(() => replaceAudienceStore(undefined));

const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");

/** Has the audience's next changes written as deltas, however few people it has. */
async function useDeltas(id: AudienceId): Promise<void> {
  await db()
    .update(audiences)
    .set({ deltas: sql`jsonb_build_object('version', version, 'baseHashes', 1000000, 'list', '[]'::jsonb)` })
    .where(and(eq(audiences.id, id), isNull(audiences.deltas)));
}

async function deltasOf(id: AudienceId): Promise<number[]> {
  return (await audienceRow(world.harbor, id)).deltas?.list.map(({ hashes }) => hashes) ?? [];
}

async function isStored(id: AudienceId, hash: string): Promise<boolean> {
  const rows = await db().select().from(audienceBlocks).where(eq(audienceBlocks.audienceId, id));
  const blocks: Block[] = [...rows.map(({ addresses, ...block }) => block), ...(await readAllObjects(db(), id))];
  return blocks.some(({ hashes }) => {
    const list = Buffer.from(hashes).toString("latin1");
    for (let at = 0; at < list.length; at += 32) if (list.slice(at, at + 32) === hash) return true;
    return false;
  });
}

async function membersSentTo(profile: "google" | "meta", id: AudienceId): Promise<unknown[]> {
  const found: unknown[] = [];
  const selection = { profile, after: null, withAddresses: true };
  for await (const part of readDestinationMembers(db(), await openAudience(world.harbor, id, true), selection))
    found.push(...part);
  return found;
}

const emails = ["a@example.com", "jane.doe@gmail.com", "j.anedoe@gmail.com", "É@example.com", "b@example.com"];
const phones = ["+16505551212", "+4930901820"];
const values = [...emails, ...phones, ...["janedoe@gmail.com", "jane.doe@gmail.com", "16505551212"].map(hex)];
const variantHashes = ["jane.doe@gmail.com", "16505551212"].map(hex);
const memberOf = (value: string): Member =>
  value.includes("@") ? { email: value } : value.startsWith("+") ? { phone: value } : { email_sha256: value };

type Action =
  | { kind: "call"; add: string[]; remove: string[] }
  | { kind: "file"; mode: UploadMode; rows: string[]; hasAddresses: boolean }
  | { kind: "erase"; values: string[] }
  | { kind: "merge" };
const some = (minLength: number) => fc.array(fc.constantFrom(...values), { minLength, maxLength: 4 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("call" as const), add: some(0), remove: some(0) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("file" as const),
      mode: fc.constantFrom(...uploadModes),
      rows: some(1),
      hasAddresses: fc.boolean(),
    }),
  },
  // Not a variant by its hash: older generations know whose it is, see "erases a mailbox" below.
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("erase" as const),
      values: some(1).map((chosen) => chosen.filter((value) => !variantHashes.includes(value))),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("merge" as const) }) },
);

/** Where what the step writes is stored. */
type Step = Action & { store: BlockStoreKind };
const step: fc.Arbitrary<Step> = fc
  .tuple(action, fc.constantFrom(...blockStoreKinds))
  .map(([done, store]) => ({ ...done, store }));

const mapping = {
  columns: { "First name": "given_name", Surname: "family_name", Zip: "postal_code", Country: "country" },
  phoneCountry: null,
} as const;
const head = "Email,Phone,First name,Surname,Zip,Country";
const rules = (name: string) => /audience|people are left|upload/.test(name);

async function run(id: AudienceId, done: Action): Promise<unknown> {
  switch (done.kind) {
    case "call": {
      const [add, remove] = [done.add.map(memberOf), done.remove.map(memberOf)];
      return await updateMembers(world.harbor, { audienceId: id, add, remove });
    }
    case "file": {
      const place = done.hasAddresses ? "Jane,Doe,10115,DE" : ",,,";
      const rows = done.rows.map((value) => (value.startsWith("+") ? `,${value},${place}` : `${value},,${place}`));
      const { status, size, peopleAdded, peopleRemoved, duplicates } = await upload(world.harbor, {
        audienceId: id,
        mode: done.mode,
        mapping,
        files: [[head, ...rows].join("\n")],
      });
      return { status, size, peopleAdded, peopleRemoved, duplicates };
    }
    default:
      return undefined;
  }
}

/**
 * An erasure by an address also erases another address of that mailbox which was added by its hash, where an older
 * generation knows whose it is. The audience without deltas has forgotten that: what it has more is removed from it.
 */
async function removeErasedVariants({ from, asIn }: { from: AudienceId; asIn: AudienceId }): Promise<void> {
  const hashesOf = async (id: AudienceId) =>
    (await loadStoredHashes(world.harbor, id)).map((line) => line.split(" ", 1)[0] ?? "");
  const kept = await hashesOf(asIn);
  const more = (await hashesOf(from)).filter((hash) => !kept.includes(hash));
  expect(variantHashes).toEqual(expect.arrayContaining(more));
  if (more.length > 0) await run(from, { kind: "call", add: [], remove: more });
}

describe("an audience with deltas", () => {
  test(
    "has the same people as one without, whatever happened to both, in rows and in objects",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
          const plain = await createEmptyAudience(world.harbor);
          const layered = await createEmptyAudience(world.harbor);
          for (const id of [plain, layered]) await run(id, { kind: "call", add: values.slice(0, 6), remove: [] });
          await useDeltas(layered);
          for (const one of steps) {
            replaceAudienceStore(one.store);
            if (one.kind === "erase") await eraseIdentifiers(world.harbor, { identifiers: one.values });
            if (one.kind === "merge" && (await mergeDeltas(world.job, layered))) {
              expect(await deltasOf(layered)).toEqual([]);
              await useDeltas(layered);
            }
            const result = await run(layered, one);
            replaceAudienceStore(undefined);
            expect(result).toEqual(await run(plain, one));
            if (one.kind === "erase") await removeErasedVariants({ from: plain, asIn: layered });
            expect(await loadStoredHashes(world.harbor, layered)).toEqual(await loadStoredHashes(world.harbor, plain));
            expect((await deltasOf(layered)).length).toBeLessThanOrEqual(4);
            await deleteDroppedObjects(world.job);
            expect(await listObjectFiles(layered)).toEqual(await listObjectRows(db(), layered));
            for (const value of one.kind === "erase" ? one.values : []) {
              const read = parseIdentifier(value, { type: value.startsWith("+") ? "phone" : "email" });
              for (const { hash } of read && !("reason" in read) ? hashesOfIdentifier(read) : [])
                expect(await isStored(layered, hash)).toBe(false);
            }
          }
          for (const profile of ["google", "meta"] as const)
            expect(await membersSentTo(profile, layered)).toEqual(await membersSentTo(profile, plain));
          expect((await audienceRow(world.harbor, layered)).size).toBe((await audienceRow(world.harbor, plain)).size);
        }),
        { numRuns: faultRuns({ small: 4, all: 60 }) },
      );
      expect(await findBrokenInvariants(db(), { only: rules })).toEqual({});
    },
    faultTimeoutMs,
  );

  test("loses nobody when calls, files and merges change it at once", async () => {
    const id = await audienceWithDeltas(2_000);
    let isChanging = true;
    let merges = 0;
    const merging = (async () => {
      let isLast = false;
      do {
        isLast = !isChanging;
        if (await mergeDeltas(world.job, id)) merges += 1;
        await useDeltas(id);
      } while (!isLast);
    })();
    const callers = Array.from({ length: 3 }, async (_, caller) => {
      for (let call = 0; call < 8; call += 1) {
        const add = [{ email: `call${call}of${caller}@example.com` }];
        await updateMembers(world.harbor, {
          audienceId: id,
          add,
          remove: [{ email: `person${8 * caller + call}@example.com` }],
        });
      }
    });
    const file = upload(world.harbor, { audienceId: id, files: [people(500, 5_000)] });
    await Promise.all([...callers, file]);
    isChanging = false;
    await merging;
    // One at least beside the changes, and the last one after them.
    expect(merges).toBeGreaterThan(1);
    expect(await file).toMatchObject({ status: "succeeded", peopleAdded: 500 });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 2_500, version: 27 });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(2_500);
    expect(await findBrokenInvariants(db(), { only: rules })).toEqual({});
  });

  test("that changes while it is merged into objects is merged again, and leaves none of the first time", async () => {
    const id = await audienceWithDeltas(100);
    replaceAudienceStore("objects");
    const { generation } = await audienceRow(world.harbor, id);
    const merging = await db().transaction(async (tx) => {
      await tx.select().from(audiences).where(eq(audiences.id, id)).for("no key update");
      const merge = deferRejection(mergeDeltas(world.job, id));
      await waitForMergeAtCommit();
      await updateMembers(
        { ...world.harbor, db: tx },
        { audienceId: id, add: [{ email: "late@example.com" }], remove: [] },
      );
      return { merge };
    });
    expect(await merging.merge).toBe(true);
    replaceAudienceStore(undefined);
    await deleteDroppedObjects(world.job);
    expect(await listObjectFiles(id)).toEqual(await listObjectRows(db(), id));
    expect(await listObjectFiles(id)).toHaveLength(1);
    const row = await audienceRow(world.harbor, id);
    expect(row).toMatchObject({ size: 101, deltas: null });
    expect(row.generation).not.toBe(generation);
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(101);
    expect(await isStored(id, sha256("late@example.com"))).toBe(true);
  });

  const kills = faultRuns({ small: 2, all: 100 });
  test(
    `is as before when its merge is killed, ${kills} times`,
    async () => {
      const id = await audienceWithDeltas(faultRuns({ small: 100, all: 50_000 }));
      await updateMembers(world.harbor, { audienceId: id, add: [], remove: [{ email: "person1@example.com" }] });
      const [before, hashes] = [await audienceRow(world.harbor, id), await loadStoredHashes(world.harbor, id)];
      for (let kill = 0; kill < kills; kill += 1) {
        const merge = db().transaction(async (tx) => {
          await tx.select().from(audiences).where(eq(audiences.id, id)).for("no key update");
          let isRunning = true;
          const merging = Promise.allSettled([mergeDeltas(world.job, id)]).finally(() => {
            isRunning = false;
          });
          // Every other one is killed before its last statement, the others anywhere.
          if (kill % 2 === 0) await waitForMergeAtCommit();
          else await sleep(Math.random() * 200);
          while (isRunning) {
            await db().execute(sql`select pg_terminate_backend(pid) from pg_locks where ${ofMerge} and granted`);
            await sleep(20);
          }
          expect(await merging).toMatchObject([{ status: "rejected" }]);
        });
        await merge;
        expect(await audienceRow(world.harbor, id)).toEqual(before);
        expect(await loadStoredHashes(world.harbor, id)).toEqual(hashes);
      }
      expect(await findBrokenInvariants(db(), { only: rules })).toEqual({});
      expect(await mergeDeltas(world.job, id)).toBe(true);
      expect(await loadStoredHashes(world.harbor, id)).toEqual(hashes);
      expect(await isStored(id, sha256("person1@example.com"))).toBe(false);
    },
    faultTimeoutMs,
  );

  test("hides a person who is removed, and forgets a person who is erased", async () => {
    const id = await audienceWithDeltas(3, 900_000);
    const remove = [{ email: "person900001@example.com" }];
    await updateMembers(world.harbor, { audienceId: id, add: [], remove });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(2);
    expect(await isStored(id, sha256("person900001@example.com"))).toBe(true);
    const { version } = await audienceRow(world.harbor, id);
    const erasure = await eraseIdentifiers(world.harbor, { identifiers: ["person900001@example.com"] });
    expect(erasure).toMatchObject({ erased: 0 });
    expect(await isStored(id, sha256("person900001@example.com"))).toBe(false);
    // Otherwise a merge that has read the hash would commit it.
    expect((await audienceRow(world.harbor, id)).version).toBe(version + 1);
  });

  test("erases a mailbox by the hash of an address that it has removed and still stores", async () => {
    const id = await audienceWithDeltas(100);
    await updateMembers(world.harbor, { audienceId: id, add: [{ email: "jane.doe@gmail.com" }], remove: [] });
    await mergeDeltas(world.job, id);
    await useDeltas(id);
    const mode = "replace" as const;
    await upload(world.harbor, { audienceId: id, mode, files: ["Email\nj.anedoe@gmail.com\na@example.com"] });
    expect(await isStored(id, sha256("jane.doe@gmail.com"))).toBe(true);
    await eraseIdentifiers(world.harbor, { identifiers: [hex("jane.doe@gmail.com")] });
    const gone = ["jane.doe@gmail.com", "j.anedoe@gmail.com", "janedoe@gmail.com"];
    expect(await Promise.all(gone.map((email) => isStored(id, sha256(email))))).toEqual([false, false, false]);
    expect((await audienceRow(world.harbor, id)).size).toBe(1);
  });

  test("is merged into its base by the job once a removal is a month old", async () => {
    const id = await audienceWithDeltas(3);
    await updateMembers(world.harbor, { audienceId: id, add: [], remove: [{ email: "person1@example.com" }] });
    world.advanceDays(29);
    expect(await mergeDueDeltas(world.job)).toBe(0);
    world.advanceDays(2);
    expect(await mergeDueDeltas(world.job)).toBeGreaterThan(0);
    world.advanceDays(-31);
    expect(await audienceRow(world.harbor, id)).toMatchObject({ deltas: null, size: 2 });
    expect(await isStored(id, sha256("person1@example.com"))).toBe(false);
  });
});

test("a look-up is planned once for any number of deltas, not each time", async () => {
  const places: Generations[] = [];
  for (const store of blockStoreKinds) {
    const id = await createEmptyAudience(world.harbor);
    await useDeltas(id);
    replaceAudienceStore(store);
    await updateMembers(world.harbor, { audienceId: id, add: [{ email: "a@example.com" }], remove: [] });
    replaceAudienceStore(undefined);
    const place = await openMembers(db(), id);
    if (place) places.push(place);
  }
  const planned = await db().transaction(async (tx) => {
    for (const place of places)
      for (let time = 0; time < 10; time += 1) await new MemberLookUp(tx, place).load([sha256("a@example.com")]);
    const [ofRows, ofObjects] = ["%part.start%", "%layer.generation%audience_objects%"];
    return tx.execute(
      sql`select generic_plans::int as once, custom_plans::int as anew from pg_prepared_statements
          where (statement like ${ofRows} or statement like ${ofObjects}) and generic_plans + custom_plans >= 10`,
    );
  });
  // One statement for each store. PostgreSQL plans each of the first five calls, then compares.
  expect(planned).toEqual(blockStoreKinds.map(() => ({ once: expect.any(Number), anew: 5 })));
});

test("a change is a delta when it is small, the audience large, and the version before gone", async () => {
  const id = await createEmptyAudience(world.harbor);
  const writtenFrom = (time: string) =>
    db.owner().execute(sql.raw(`comment on column audiences.deltas is 'written from ${time}'`));
  const change = async (count: number, from: number) => {
    await upload(world.harbor, { audienceId: id, files: [people(count, from)] });
    return await deltasOf(id);
  };
  await change(10_000, 0);
  try {
    await writtenFrom("2999-01-01 00:00:00+00");
    expect(await change(10, 10_000)).toEqual([]);
  } finally {
    await writtenFrom("2026-01-01 00:00:00+00");
  }
  expect(await change(10, 10_010)).toEqual([10]);
  // The same people again change nothing.
  expect(await change(10, 10_010)).toEqual([10]);
  await updateMembers(world.harbor, { audienceId: id, add: [{ email: "one@example.com" }], remove: [] });
  expect(await deltasOf(id)).toEqual([10, 1]);
  for (const from of [20_000, 20_010, 20_020]) await change(10, from);
  expect(await deltasOf(id)).toEqual([41]);
  // An eighth of the base is written with it.
  expect(await change(1_300, 30_000)).toEqual([]);
  expect(await audienceRow(world.harbor, id)).toMatchObject({ size: 11_351 });
  expect(await loadStoredHashes(world.harbor, id)).toHaveLength(11_351);
});

/** An audience of so many people in its base, and one in a delta. */
async function audienceWithDeltas(count: number, from = 0): Promise<AudienceId> {
  const id = await audienceOfPeople(world.harbor, count - 1, from);
  await useDeltas(id);
  await updateMembers(world.harbor, { audienceId: id, add: [{ email: "delta@example.com" }], remove: [] });
  expect(await deltasOf(id)).toEqual([1]);
  return id;
}

/** The locks of a merge of deltas, the only one with an advisory lock here. */
const ofMerge = sql`locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;

/** Waits until a merge has written everything, and waits for the lock of its audience. */
async function waitForMergeAtCommit(): Promise<void> {
  await expect
    .poll(
      async () => {
        const waiting = await db().execute(
          sql`select from pg_locks where not granted and pid in (select pid from pg_locks where ${ofMerge} and granted)`,
        );
        return waiting.length;
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
}
