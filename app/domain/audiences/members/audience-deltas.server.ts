import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import type { AudienceId } from "../../ids.ts";
import { countHashes, dropGeneration, newGeneration, openBlockWriter, readBlocks } from "./audience-blocks.server.ts";
import type { Block } from "./block.ts";
import { BlockBuilder } from "./block-builder.ts";
import { countFolded, minPeopleForDeltas } from "./delta-policy.ts";
import { type Delta, deltaGeneration, type Generations, generationsOf, isRemoved } from "./deltas.ts";
import type { BlockStoreKind, Generation } from "./generation.ts";
import { coverBlocks, joinBlocks } from "./overlay.ts";
import { mayBeWritten } from "./written-from.server.ts";

const allowedRow = z.object({ isAllowed: z.boolean() });

/**
 * Whether the next change of an audience is written as a delta: the audience has some, or is large and all servers know
 * deltas. The migration that brought them wrote from when on that is sure into the column's comment.
 */
export async function writesDeltas(db: Database, place: Generations, people: number): Promise<boolean> {
  if (place.deltas) return true;
  if (people < minPeopleForDeltas) return false;
  const [row] = await queryRows(db, allowedRow, sql`select ${mayBeWritten("deltas")} as "isAllowed"`);
  return row?.isAllowed ?? false;
}

/** Returns how many hashes the base of an audience has, or had when its first delta was written. */
export async function countBaseHashes(db: Database, place: Generations): Promise<number> {
  return place.deltas?.baseHashes ?? (await countHashes(db, place));
}

/**
 * Writes changes as the next delta of an audience, merged with as many of its newest deltas as keeps their number
 * small. Returns the audience's generations with it, which are the audience's when its row says so; `dropReplaced` then
 * deletes those that were merged.
 */
export async function writeDelta(
  db: Database,
  { place, changes, now }: { place: Generations; changes: Block; now: Date },
): Promise<Generations> {
  const { audienceId } = place;
  const list = place.deltas?.list ?? [];
  const kept = list.slice(0, list.length - countFolded(list, changes.flags.length));
  const folded = list.slice(kept.length);
  const { generation, store, hashes, hasRemovals } = await writeFolded(db, { audienceId, folded, changes });
  const inStore = store === "rows" ? {} : { store };
  return {
    ...place,
    deltas: {
      version: place.deltas?.version ?? 0,
      baseHashes: await countBaseHashes(db, place),
      list: [
        ...kept,
        { generation, ...inStore, hashes, removedSince: hasRemovals ? oldestRemoval(folded, now) : null },
      ],
    },
  };
}

type Folding = { audienceId: AudienceId; folded: readonly Delta[]; changes: Block };

/** Writes some deltas and the changes over them as one delta. */
async function writeFolded(db: Database, { audienceId, folded, changes }: Folding) {
  const read = (delta: Delta) => readBlocks(db, deltaGeneration(audienceId, delta), { withAddresses: true });
  const [oldest, ...newer] = folded;
  const deltas: Block[] = [];
  for (const delta of newer) deltas.push(await readWhole(read(delta)));
  const base = oldest ? read(oldest) : inSequence([]);
  let [hashes, hasRemovals] = [0, false];
  async function* counted() {
    for await (const block of coverBlocks({ base, deltas: [...deltas, changes], keepsRemoved: true })) {
      hashes += block.flags.length;
      hasRemovals ||= block.flags.some(isRemoved);
      yield block;
    }
  }
  const { generation, store } = await writeGeneration(db, audienceId, counted());
  return { generation, store, hashes, hasRemovals };
}

/** Reads all blocks of a delta as one. */
export async function readWhole(delta: AsyncIterable<Block>): Promise<Block> {
  const blocks: Block[] = [];
  for await (const block of delta) blocks.push(block);
  return joinBlocks(blocks);
}

async function* inSequence(blocks: readonly Block[]): AsyncGenerator<Block> {
  yield* blocks;
}

function oldestRemoval(folded: readonly Delta[], now: Date): string {
  const earlier = folded.flatMap(({ removedSince }) => removedSince ?? []).sort();
  return earlier[0] ?? now.toISOString();
}

/** Writes blocks of any size, ascending, as a generation of its own, in the store of the setting or another one. */
export async function writeGeneration(
  db: Database,
  audienceId: AudienceId,
  blocks: AsyncIterable<Block>,
  store?: BlockStoreKind,
): Promise<Generation> {
  const generation = await newGeneration(db, audienceId, store);
  const writer = openBlockWriter(db, generation);
  const builder = new BlockBuilder();
  for await (const block of blocks) {
    builder.fill(block);
    await writer.put(builder.drain());
  }
  await writer.put(builder.drain(true));
  await writer.end();
  return generation;
}

/** Deletes the generations of `dropped` that are not among those of `kept`. */
export async function dropReplaced(
  db: Database,
  { dropped, kept }: Record<"dropped" | "kept", Generations>,
): Promise<void> {
  const isKept = new Set(generationsOf(kept).map(({ generation }) => generation));
  for (const place of generationsOf(dropped)) if (!isKept.has(place.generation)) await dropGeneration(db, place);
}
