import { sql } from "drizzle-orm";
import { z } from "zod";
import { audienceStore } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import type { AudienceId } from "../../ids.ts";
import type { Block } from "./block.ts";
import { type Generations, generationsOf } from "./deltas.ts";
import { type BlockStoreKind, blockStoreKinds, type Generation } from "./generation.ts";
import type { BlockSelection, BlockStore, BlockWriter, LoadedBlock } from "./stores/block-store.ts";
import { objectStore } from "./stores/object-store.server.ts";
import { rowStore } from "./stores/row-store.server.ts";
import { mayBeWritten } from "./written-from.server.ts";

/** Each generation knows which one it is in, so both are read whatever the setting says. */
const stores: Record<BlockStoreKind, BlockStore> = { rows: rowStore, objects: objectStore };

/** Reads a generation's blocks as `BlockStore.read` does. */
export function readBlocks(db: Database, place: Generation, selection: BlockSelection = {}): AsyncGenerator<Block> {
  return stores[place.store].read(db, place, selection);
}

/**
 * Returns the blocks of an audience's base and deltas that contain these hashes or would contain them, those of each
 * generation ascending; with `parts`, as `BlockStore.findParts` does.
 */
export async function findBlocks(
  db: Database,
  place: Generations,
  { hashes, parts }: { hashes: readonly string[]; parts: boolean },
): Promise<LoadedBlock[]> {
  const { audienceId } = place;
  const found: LoadedBlock[] = [];
  for (const [kind, generations] of byStore(place)) {
    const find = parts ? stores[kind].findParts : stores[kind].find;
    found.push(...(await find(db, { audienceId, generations }, hashes)));
  }
  return found;
}

/**
 * Reads the blocks of an audience's base and deltas that contain variants, generation by generation, without addresses.
 */
export async function* readVariantBlocks(db: Database, place: Generations): AsyncGenerator<Block> {
  for (const one of generationsOf(place)) yield* stores[one.store].readVariants(db, one);
}

function byStore(place: Generations): [BlockStoreKind, number[]][] {
  const all = generationsOf(place);
  return blockStoreKinds.flatMap((kind): [BlockStoreKind, number[]][] => {
    const generations = all.flatMap(({ generation, store }) => (store === kind ? [generation] : []));
    return generations.length > 0 ? [[kind, generations]] : [];
  });
}

export async function countHashes(db: Database, place: Generation): Promise<number> {
  return stores[place.store].countHashes(db, place);
}

/** Opens a new generation for writing. */
export function openBlockWriter(db: Database, place: Generation): BlockWriter {
  return stores[place.store].openWriter(db, place);
}

/** Writes a new generation that fits in memory. */
export async function writeBlocks(db: Database, place: Generation, blocks: readonly Block[]): Promise<void> {
  const writer = openBlockWriter(db, place);
  await writer.put(blocks);
  await writer.end();
}

/** Replaces some blocks of a generation by others with hashes of the same ranges. */
export async function replaceBlocks(
  db: Database,
  place: Generation,
  blocks: { removed: readonly LoadedBlock[]; added: readonly Block[] },
): Promise<void> {
  await stores[place.store].replace(db, place, blocks);
}

const generationRow = z.object({ generation: z.number(), canUseObjects: z.boolean() });

/**
 * Returns a generation whose number no other rewrite of any audience uses, in the store of the setting. Blocks written
 * to it are invisible until the audience refers to it. Until all servers know objects it is in rows.
 */
export async function newGeneration(
  db: Database,
  audienceId: AudienceId,
  store: BlockStoreKind = audienceStore(),
): Promise<Generation> {
  const [row] = await queryRows(
    db,
    generationRow,
    sql`
      select nextval('audience_generations')::int as generation, ${mayBeWritten("object_generation")} as "canUseObjects"`,
  );
  if (!row) throw new Error("nextval('audience_generations') returned no row");
  return { audienceId, generation: row.generation, store: row.canUseObjects ? store : "rows" };
}

/** Deletes a generation that the audience no longer refers to. */
export async function dropGeneration(db: Database, place: Generation): Promise<void> {
  await stores[place.store].drop(db, place);
}

/** Deletes all of an audience's generations but its base and its deltas. */
export async function dropOtherGenerations(db: Database, place: Generations): Promise<void> {
  const generations = generationsOf(place).map(({ generation }) => generation);
  for (const kind of blockStoreKinds) await stores[kind].dropOthers(db, { audienceId: place.audienceId, generations });
}

/** Whether an audience has other generations than its base and its deltas. */
export async function hasOtherGenerations(db: Database, place: Generations): Promise<boolean> {
  const generations = generationsOf(place).map(({ generation }) => generation);
  for (const kind of blockStoreKinds)
    if (await stores[kind].hasOthers(db, { audienceId: place.audienceId, generations })) return true;
  return false;
}

/** Returns audiences that have generations which their row does not name, chosen at random, at most 200. */
export async function listAudiencesWithLeftovers(db: Database): Promise<AudienceId[]> {
  const left: AudienceId[] = [];
  for (const kind of blockStoreKinds) left.push(...(await stores[kind].listLeftOver(db)));
  return [...new Set(left)];
}
