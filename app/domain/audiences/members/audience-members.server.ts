import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks, audiences } from "#db/schema/index.ts";
import type { AudienceId } from "../../ids.ts";
import { type BlockSelection, readBlocks } from "./audience-blocks.server.ts";
import type { Block } from "./block.ts";
import { decryptAddresses } from "./block-addresses.server.ts";
import type { Generations } from "./deltas.ts";
import { coverBlocks, joinBlocks } from "./overlay.ts";

/** An audience's generations at one moment, with the blocks of its deltas, by generation, the oldest first. */
export type OpenMembers = Generations & { version: number; size: number; deltaBlocks: readonly Block[] };

type Selection = {
  /** The hashes below this one. */
  below?: Buffer | undefined;
  withAddresses?: boolean;
};

const deltaBlockRow = z.object({
  version: columnValue(audiences.version),
  size: columnValue(audiences.size),
  generation: columnValue(audiences.generation),
  deltas: columnValue(audiences.deltas),
  delta: z.number().nullable(),
  hashes: columnValue(audienceBlocks.hashes).nullable(),
  flags: columnValue(audienceBlocks.flags).nullable(),
  canonicalHashes: columnValue(audienceBlocks.canonicalHashes).nullable(),
  addresses: columnValue(audienceBlocks.addresses),
});

/**
 * Reads where an audience's members are, and the blocks of its deltas, in one statement, so that no merge of deltas comes
 * between. Returns undefined when there is no such audience.
 */
export async function openMembers(
  db: Database,
  audienceId: AudienceId,
  { below, withAddresses = false }: Selection = {},
): Promise<OpenMembers | undefined> {
  // The offset keeps PostgreSQL from joining with all of the audience's blocks.
  const rows = await queryRows(
    db,
    deltaBlockRow,
    sql`
      select audience.version, audience.size, audience.generation, audience.deltas, block.generation as delta, block.hashes, block.flags,
        block.canonical_hashes as "canonicalHashes", ${withAddresses ? sql`block.addresses` : sql`null`} as addresses
      from audiences audience
      left join lateral (
        select delta.place, part.* from jsonb_array_elements(audience.deltas -> 'list') with ordinality delta (value, place)
        cross join lateral (
          select generation, first_hash, hashes, flags, canonical_hashes, addresses from audience_blocks
          where audience_id = audience.id and generation = (delta.value ->> 'generation')::int
            ${below ? sql`and first_hash < ${below}` : sql``} offset 0
        ) part
      ) block on true
      where audience.id = ${audienceId} order by block.place, block.first_hash`,
  );
  const [audience] = rows;
  if (!audience) return undefined;
  const { version, size, generation, deltas } = audience;
  const blocks = rows.flatMap(({ delta, hashes, flags, canonicalHashes, addresses }) =>
    hashes && flags && canonicalHashes
      ? [
          {
            delta,
            block: { hashes, flags, canonicalHashes, addresses: decryptAddresses({ hashes, addresses }, audienceId) },
          },
        ]
      : [],
  );
  const deltaBlocks = (deltas?.list ?? []).map((delta) =>
    joinBlocks(blocks.filter((one) => one.delta === delta.generation).map(({ block }) => block)),
  );
  return { audienceId, version, size, generation, deltas, deltaBlocks };
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
