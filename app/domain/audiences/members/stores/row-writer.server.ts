import { sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { slicesOf } from "../../../slices-of.ts";
import { type Block, hashBytes } from "../block.ts";
import { encryptAddresses } from "../block-addresses.server.ts";
import type { Generation } from "../generation.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { BlockWriter } from "./block-store.ts";

/** The number of blocks per read or write; 64 blocks are 2 MB. */
export const blocksPerBatch = 64;
const maxBlocksPerStatement = 4 * blocksPerBatch;

/** Opens a writer that inserts blocks in batches. */
export function openRowWriter(db: Database, place: Generation): BlockWriter {
  return new BatchWriter((blocks) => writeRows(db, place, blocks), { min: blocksPerBatch, max: Infinity });
}

/** Inserts blocks as plain parameters, because a failed COPY would hang the driver. */
export async function writeRows(
  db: Database,
  { audienceId, generation }: Generation,
  blocks: readonly Block[],
): Promise<void> {
  for (const batch of slicesOf(blocks, maxBlocksPerStatement)) {
    const flags = concatenate(batch.map((block) => block.flags));
    const hashes = concatenate(batch.map((block) => block.hashes));
    const canonicalHashes = concatenate(batch.map((block) => block.canonicalHashes));
    const addresses = concatenate(batch.map((block) => encryptAddresses(block, audienceId)));
    // All blocks are sent as one value that PostgreSQL cuts; seven parameters per block would cost more than the
    // hashing.
    await db.execute(sql`
      insert into audience_blocks (audience_id, generation, first_hash, hashes, flags, canonical_hashes, addresses)
      select ${audienceId}::uuid, ${generation}::int, substr(hashes, hash, ${hashBytes}::int), substr(hashes, hash, hash_bytes),
        substr(flags, flag, flag_bytes), substr(canonical_hashes, canonical_hash, canonical_hash_bytes),
        nullif(substr(addresses, address, address_bytes), '')
      from (select ${hashes.bytes}::bytea as hashes, ${flags.bytes}::bytea as flags, ${canonicalHashes.bytes}::bytea as canonical_hashes,
        ${addresses.bytes}::bytea as addresses) written,
        unnest(${sql.param(hashes.starts)}::int[], ${sql.param(hashes.lengths)}::int[],
        ${sql.param(flags.starts)}::int[], ${sql.param(flags.lengths)}::int[],
        ${sql.param(canonicalHashes.starts)}::int[], ${sql.param(canonicalHashes.lengths)}::int[],
        ${sql.param(addresses.starts)}::int[], ${sql.param(addresses.lengths)}::int[])
        as cut (hash, hash_bytes, flag, flag_bytes, canonical_hash, canonical_hash_bytes, address, address_bytes)`);
  }
}

/**
 * Concatenates the parts and returns where each starts, counted from 1. Parts that are adjacent in memory are not
 * copied.
 */
function concatenate(parts: readonly Uint8Array[]): { bytes: Buffer; starts: number[]; lengths: number[] } {
  const lengths = parts.map((part) => part.length);
  let end = 0;
  const starts = lengths.map((length) => {
    end += length;
    return end - length + 1;
  });
  const [first] = parts;
  const adjacent = parts.every(
    (part, index) => part.buffer === first?.buffer && part.byteOffset === first.byteOffset + (starts[index] ?? 0) - 1,
  );
  const bytes = first && adjacent ? Buffer.from(first.buffer, first.byteOffset, end) : Buffer.concat(parts);
  return { bytes, starts, lengths };
}
