import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import type { AudienceId } from "../../ids.ts";
import type { Block } from "./block.ts";
import { type Generations, generationsOf } from "./deltas.ts";
import type { BlockSelection, BlockWriter, Generation, LoadedBlock } from "./stores/block-store.ts";
import { rowStore } from "./stores/row-store.server.ts";

/** Reads a generation's blocks as `BlockStore.read` does. */
export function readBlocks(db: Database, place: Generation, selection: BlockSelection = {}): AsyncGenerator<Block> {
  return rowStore.read(db, place, selection);
}

/** Returns the blocks of an audience's base and deltas that contain these hashes or would contain them, ascending. */
export async function findBlocks(db: Database, place: Generations, hashes: readonly string[]): Promise<LoadedBlock[]> {
  return rowStore.find(db, { audienceId: place.audienceId, generations: generationsOf(place) }, hashes);
}

/** Reads the blocks of an audience's base and deltas that contain variants, in any order, without addresses. */
export function readVariantBlocks(db: Database, place: Generations): AsyncGenerator<Block> {
  return rowStore.readVariants(db, { audienceId: place.audienceId, generations: generationsOf(place) });
}

export async function countHashes(db: Database, place: Generation): Promise<number> {
  return rowStore.countHashes(db, place);
}

/** Opens a new generation for writing. */
export function openBlockWriter(db: Database, place: Generation): BlockWriter {
  return rowStore.openWriter(db, place);
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
  await rowStore.replace(db, place, blocks);
}

const generationRow = z.object({ generation: z.number() });

/**
 * Returns a generation number that no other rewrite of any audience uses. Blocks written under it are invisible until
 * the audience refers to it.
 */
export async function newGeneration(db: Database): Promise<number> {
  const [row] = await queryRows(db, generationRow, sql`select nextval('audience_generations')::int as generation`);
  if (!row) throw new Error("nextval('audience_generations') returned no row");
  return row.generation;
}

/** Deletes a generation that the audience no longer refers to. */
export async function dropGeneration(db: Database, place: Generation): Promise<void> {
  await rowStore.drop(db, place);
}

/** Deletes all of the audience's generations but its base and its deltas. */
export async function dropOtherGenerations(db: Database, place: Generations): Promise<void> {
  await rowStore.dropOthers(db, { audienceId: place.audienceId, generations: generationsOf(place) });
}

/** Returns audiences that have generations which their row does not name, at most 100. */
export async function listAudiencesWithLeftovers(db: Database): Promise<AudienceId[]> {
  return rowStore.listLeftOver(db);
}
