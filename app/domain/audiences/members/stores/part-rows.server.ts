import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import type { AudienceId } from "../../../ids.ts";
import { compareHashes, hashBytes } from "../block.ts";
import { decryptAddresses } from "../block-addresses.server.ts";
import { countVariants } from "../block-slices.ts";
import type { LoadedBlock } from "./block-store.ts";

/**
 * The number of hashes in a part: four standard deviations on both sides of a place in a block of 1,024 random hashes.
 */
const hashesPerPart = 128;

const partRow = z.object({
  target: z.string(),
  generation: columnValue(audienceBlocks.generation),
  first: columnValue(audienceBlocks.firstHash),
  start: z.number(),
  hashes: columnValue(audienceBlocks.hashes),
  flags: columnValue(audienceBlocks.flags),
  canonicalHashes: columnValue(audienceBlocks.canonicalHashes),
  addresses: columnValue(audienceBlocks.addresses),
});

/**
 * Returns the parts of blocks around the places where these hashes (32 bytes, `latin1`) would be if a block's hashes
 * were evenly distributed, ascending; and the hashes whose place is outside of such a part.
 */
export async function findPartRows(
  db: Database,
  { audienceId, generations }: { audienceId: AudienceId; generations: readonly number[] },
  hashes: readonly string[],
): Promise<{ parts: LoadedBlock[]; missed: string[] }> {
  const list = hashes.map((hash) => Buffer.from(hash, "latin1").toString("hex"));
  const ofLayer = sql`audience_id = ${audienceId} and generation = layer.generation`;
  // The places are computed from 48 bits, so that they fit in a bigint with 12 more for the number of hashes in a
  // block.
  const rows = await queryRows(
    db,
    partRow,
    sql`
      select target, layer.generation, block.first_hash as first, part.start, substr(block.hashes, ${hashBytes} * part.start + 1, ${hashBytes * hashesPerPart}) as hashes,
        block.flags, block.canonical_hashes as "canonicalHashes", block.addresses
      from unnest((select ${sql.param(list)}::text[])) target cross join unnest((select ${sql.param(generations)}::int[])) layer (generation)
      cross join lateral (
        select first_hash, hashes, flags, canonical_hashes, addresses from audience_blocks
        where ${ofLayer} and first_hash <= decode(target, 'hex') order by first_hash desc limit 1
      ) block
      cross join lateral (
        select ('x' || left(target, 12))::bit(48)::bigint as hash, ('x' || encode(substr(block.first_hash, 1, 6), 'hex'))::bit(48)::bigint as first,
          coalesce((
            select ('x' || encode(substr(first_hash, 1, 6), 'hex'))::bit(48)::bigint from audience_blocks
            where ${ofLayer} and first_hash > block.first_hash order by first_hash limit 1
          ), 1::bigint << 48) as next, length(block.flags) as count
      ) place
      cross join lateral (
        select greatest(0, least(count - ${hashesPerPart}, count * (hash - first) / greatest(next - first, 1) - ${hashesPerPart / 2}))::int as start from (select place.*) expected
      ) part
      order by block.first_hash, part.start`,
  );
  const missed = rows.flatMap((row) => (isAround(row) ? [] : [Buffer.from(row.target, "hex").toString("latin1")]));
  return { parts: rows.map((row) => toPart(row, audienceId)), missed };
}

type PartRow = z.output<typeof partRow>;

/** Returns whether the part has the hash if the block has it. */
function isAround({ target, start, hashes, flags }: PartRow): boolean {
  const hash = Buffer.from(target, "hex");
  const end = start + hashes.length / hashBytes;
  const isAfterFirst = start === 0 || compareHashes(hashes, 0, hash, 0) <= 0;
  return isAfterFirst && (end === flags.length || compareHashes(hashes, hashes.length - hashBytes, hash, 0) >= 0);
}

function toPart({ generation, first, start, hashes, ...block }: PartRow, audienceId: AudienceId): LoadedBlock {
  const variantsBefore = countVariants({ ...block, hashes, addresses: undefined }, 0, start);
  return {
    generation,
    first,
    hashes,
    flags: block.flags.subarray(start, start + hashes.length / hashBytes),
    canonicalHashes: block.canonicalHashes.subarray(variantsBefore * hashBytes),
    addresses: decryptAddresses({ hashes, addresses: block.addresses }, audienceId, { firstHash: first, from: start }),
  };
}
