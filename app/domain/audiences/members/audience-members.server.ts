import { eq } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { AudienceId } from "../../ids.ts";
import { readBlocks } from "./audience-blocks.server.ts";
import { readWhole } from "./audience-deltas.server.ts";
import { type Block, hashBytes } from "./block.ts";
import { deltaGeneration, type Generations, generationsOf, toGenerations } from "./deltas.ts";
import { coverBlocks } from "./overlay.ts";
import type { BlockSelection } from "./stores/block-store.ts";

/** An audience's generations at one moment, with the blocks of its deltas, by generation, the oldest first. */
export type OpenMembers = Generations & { version: number; size: number; deltaBlocks: readonly Block[] };

type Selection = {
  /** The hashes below this one. */
  below?: Buffer | undefined;
  withAddresses?: boolean;
};

/**
 * Reads where an audience's members are, and the blocks of its deltas. A delta that was merged while it was read is
 * read again, as what replaced it. Returns undefined when there is no such audience.
 */
export async function openMembers(
  db: Database,
  audienceId: AudienceId,
  { below, withAddresses = false }: Selection = {},
): Promise<OpenMembers | undefined> {
  const range = below && { from: Buffer.alloc(hashBytes), to: below };
  const known = new Map<number, Block>();
  for (let audience = await readAudience(db, audienceId); audience; ) {
    const deltas = audience.deltas?.list ?? [];
    const missing = deltas.filter(({ generation }) => !known.has(generation));
    for (const delta of missing) {
      const blocks = readBlocks(db, deltaGeneration(audienceId, delta), { range, withAddresses });
      known.set(delta.generation, await readWhole(blocks));
    }
    const now = missing.length > 0 ? await readAudience(db, audienceId) : audience;
    const isNamed = new Set(now && generationsOf(now).map(({ generation }) => generation));
    if (deltas.every(({ generation }) => isNamed.has(generation)))
      return { ...audience, deltaBlocks: deltas.flatMap(({ generation }) => known.get(generation) ?? []) };
    // It may have been deleted before it was read to its end.
    for (const { generation } of missing) if (!isNamed.has(generation)) known.delete(generation);
    audience = now;
  }
  return undefined;
}

async function readAudience(db: Database, id: AudienceId) {
  const { version, size, generation, objectGeneration, deltas } = audiences;
  const [audience] = await db
    .select({ version, size, generation, objectGeneration, deltas })
    .from(audiences)
    .where(eq(audiences.id, id));
  return audience && { ...toGenerations(id, audience), version: audience.version, size: audience.size };
}

/**
 * Reads an audience's members in ascending order, in blocks: those of its base with the deltas over them. With a range,
 * reads the blocks that contain its hashes; the first and the last block may contain others too.
 */
export function readMembers(db: Database, members: OpenMembers, selection: BlockSelection = {}): AsyncGenerator<Block> {
  const base = readBlocks(db, members, selection);
  const { deltaBlocks: deltas } = members;
  return deltas.length > 0 ? coverBlocks({ base, deltas, range: selection.range }) : base;
}
