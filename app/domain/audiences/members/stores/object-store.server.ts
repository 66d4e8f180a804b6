import { and, eq, notInArray, sum } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { audienceObjects } from "#db/schema/index.ts";
import type { AudienceId, AudienceObjectId } from "../../../ids.ts";
import { slicesOf } from "../../../slices-of.ts";
import type { Block } from "../block.ts";
import type { Generation } from "../generation.ts";
import { BatchWriter } from "./batch-writer.ts";
import { findEntry, type IndexEntry, toRuns } from "./block-index.ts";
import type { BlockSelection, BlockStore, LoadedBlock } from "./block-store.ts";
import { hasOthersIn, listLeftOverIn } from "./generation-rows.server.ts";
import { blocksPerObject, fetchBlocks, storeObject } from "./object-files.server.ts";
import { dropObjects, findObjects, listObjects, ownObjects, type StoredObject } from "./object-rows.server.ts";
import { ObjectDropped } from "./object-trouble.ts";

/** Blocks that are read with one request: 2 MB. */
const blocksPerRequest = 64;
/** Blocks that are not needed and lie between others are read with them when there are at most this many. */
const maxGap = 8;
const maxConcurrentRequests = 6;

/**
 * Stores blocks in the storage of files, up to 240 in one object, and the index of each object in `audience_objects`.
 * An object never changes: a change of some of its blocks writes a new one (docs/decisions/0100).
 */
export const objectStore: BlockStore = {
  read: (db, place, selection) => readObjects(db, place, { ...selection, isWanted: () => true }),
  find: findInObjects,
  // A block is encrypted as a whole.
  findParts: findInObjects,
  readVariants: (db, place) => readObjects(db, place, { isWanted: ({ variants }) => variants > 0 }),
  async countHashes(db, place) {
    const [row] = await db
      .select({ hashes: sum(audienceObjects.hashes) })
      .from(audienceObjects)
      .where(ownObjects(place));
    return Number(row?.hashes ?? 0);
  },
  openWriter: openObjectWriter,
  replace: replaceInObjects,
  drop: (db, place) => dropObjects(db, ownObjects(place)),
  dropOthers: (db, { audienceId, generations }) =>
    dropObjects(
      db,
      and(eq(audienceObjects.audienceId, audienceId), notInArray(audienceObjects.generation, [...generations])),
    ),
  hasOthers: (db, known) => hasOthersIn(db, audienceObjects, known),
  listLeftOver: (db) => listLeftOverIn(db, audienceObjects),
};

type Reading = BlockSelection & { isWanted: (entry: IndexEntry) => boolean };

/** Reads in batches, each with one request; the next one is fetched while one is processed. */
async function* readObjects(db: Database, place: Generation, reading: Reading): AsyncGenerator<Block> {
  const { range, withAddresses = false } = reading;
  let after: Buffer | undefined;
  for (let isWhole = false; !isWhole; ) {
    isWhole = true;
    const runs = runsOf(await listObjects(db, place, { range, after }), { ...reading, after });
    const fetchRun = (index: number) => {
      const one = runs[index];
      const fetched = one && fetchBlocks(db, { audienceId: place.audienceId, ...one, withAddresses });
      // The error is reported when the run is awaited.
      fetched?.catch(() => undefined);
      return fetched;
    };
    let pending = fetchRun(0);
    for (let index = 0; pending; index += 1) {
      const blocks: LoadedBlock[] | undefined = await pending.catch(undefinedIfDropped);
      // Blocks that were written again meanwhile are in another object, and those of a dropped generation in none.
      isWhole = blocks !== undefined;
      if (!blocks) break;
      pending = fetchRun(index + 1);
      for (const { first, ...block } of blocks) {
        after = first;
        yield block;
      }
    }
  }
}

function runsOf(objects: readonly StoredObject[], { range, after, isWanted }: Reading & { after: Buffer | undefined }) {
  return objects.flatMap((object) => {
    const { entries } = object;
    const from = range ? findEntry(entries, range.from) : 0;
    const wanted = entries.flatMap((entry, number) => {
      const isIn = number >= from && !(range && Buffer.compare(entry.first, range.to) >= 0);
      return isIn && !(after && Buffer.compare(entry.first, after) <= 0) && isWanted(entry) ? [number] : [];
    });
    return toRuns(wanted, { maxGap: 0, maxLength: blocksPerRequest }).map((run) => ({ object, run }));
  });
}

function undefinedIfDropped(error: unknown): undefined {
  if (error instanceof ObjectDropped) return undefined;
  throw error;
}

/** Finds the blocks by the indexes, and fetches those of a generation with as few requests as they are apart. */
async function findInObjects(
  db: Database,
  among: { audienceId: AudienceId; generations: readonly number[] },
  hashes: readonly string[],
): Promise<LoadedBlock[]> {
  const targets = hashes.map((hash) => Buffer.from(hash, "latin1")).sort(Buffer.compare);
  for (;;) {
    const objects = await findObjects(db, among, hashes);
    const found = await fetchRuns(db, among.audienceId, runsWith(objects, targets)).catch(undefinedIfDropped);
    if (found) return found.sort((one, other) => Buffer.compare(one.first, other.first));
  }
}

function runsWith(objects: readonly StoredObject[], targets: readonly Buffer[]): { object: StoredObject; run: Run }[] {
  return [...new Set(objects.map(({ generation }) => generation))].flatMap((generation) => {
    const own = objects.filter((object) => object.generation === generation);
    const numbers = new Map<StoredObject, Set<number>>();
    for (const target of targets) {
      const object = own[findEntry(own, target)];
      if (object) numbers.set(object, (numbers.get(object) ?? new Set()).add(findEntry(object.entries, target)));
    }
    return [...numbers].flatMap(([object, found]) => {
      const ascending = [...found].sort((one, other) => one - other);
      return toRuns(ascending, { maxGap, maxLength: blocksPerRequest }).map((run) => ({ object, run }));
    });
  });
}

type Run = { from: number; to: number };

async function fetchRuns(
  db: Database,
  audienceId: AudienceId,
  runs: readonly { object: StoredObject; run: Run }[],
): Promise<LoadedBlock[]> {
  const found: LoadedBlock[] = [];
  for (const some of slicesOf(runs, maxConcurrentRequests)) {
    const fetched = await Promise.all(some.map((one) => fetchBlocks(db, { audienceId, ...one, withAddresses: true })));
    found.push(...fetched.flat());
  }
  return found;
}

/** Writes the objects again that have blocks to replace. The caller holds the audience's lock. */
async function replaceInObjects(
  db: Database,
  place: Generation,
  { removed, added }: { removed: readonly LoadedBlock[]; added: readonly Block[] },
): Promise<void> {
  const objects = await listObjects(db, place, {});
  const isRemoved = new Set(removed.map(({ first }) => first.toString("latin1")));
  const changes = new Map<StoredObject | undefined, { first: Buffer; block: Block }[]>();
  const changesOf = (first: Buffer) => {
    const object = objects[findEntry(objects, first)];
    const known = changes.get(object) ?? [];
    changes.set(object, known);
    return known;
  };
  for (const { first } of removed) changesOf(first);
  for (const block of added) {
    const first = Buffer.from(block.hashes.subarray(0, 32));
    changesOf(first).push({ first, block });
  }
  const writer = openObjectWriter(db, place);
  for (const [object, blocks] of changes) {
    for (const one of object ? await fetchAll(db, place, object) : [])
      if (!isRemoved.has(one.first.toString("latin1"))) blocks.push({ first: one.first, block: one });
    blocks.sort((one, other) => Buffer.compare(one.first, other.first));
    if (object) await dropObjects(db, eq(audienceObjects.objectId, object.objectId));
    await writer.put(blocks.map(({ block }) => block));
    await writer.flush();
  }
  await writer.end();
}

/**
 * Writes an object again with the newest encryption key, and returns whether its generation still had it. The caller
 * holds the audience's lock.
 */
export async function reencryptObject(db: Database, place: Generation, objectId: AudienceObjectId): Promise<boolean> {
  const object = (await listObjects(db, place, {})).find((one) => one.objectId === objectId);
  if (!object) return false;
  const blocks = await fetchAll(db, place, object);
  await dropObjects(db, eq(audienceObjects.objectId, objectId));
  await storeObject(db, place, blocks);
  return true;
}

async function fetchAll(db: Database, { audienceId }: Generation, object: StoredObject): Promise<LoadedBlock[]> {
  const run = { from: 0, to: object.entries.length };
  return fetchBlocks(db, { audienceId, object, run, withAddresses: true });
}

/** Opens a writer that collects blocks to objects. */
function openObjectWriter(db: Database, place: Generation): BatchWriter {
  const sizes = { min: blocksPerObject, max: blocksPerObject };
  return new BatchWriter((blocks) => storeObject(db, place, blocks), sizes);
}
