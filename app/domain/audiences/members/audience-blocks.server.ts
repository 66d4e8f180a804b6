import { and, asc, desc, eq, gt, gte, lt, lte, notInArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import type { AudienceId } from "../../ids.ts";
import { type Block, hashBytes } from "./block.ts";
import { decryptAddresses, encryptAddresses } from "./block-addresses.server.ts";
import { type Generations, generationsOf } from "./deltas.ts";
import type { HashRange } from "./hash-sample.ts";

/** The number of blocks per read or write; 64 blocks are 2 MB. */
const blocksPerBatch = 64;
const maxBlocksPerStatement = 4 * blocksPerBatch;
/** One batch is being written while the next one is built. */
const maxConcurrentWrites = 2;

export type Generation = { audienceId: AudienceId; generation: number };

export type BlockSelection = {
  range?: HashRange | undefined;
  /** Whether addresses are read too, which takes a decryption per block. Whoever writes the blocks again needs them. */
  withAddresses?: boolean;
};

/**
 * Reads an audience's blocks in ascending order, in batches; the next batch is fetched while one is processed. With a
 * range, reads the blocks that contain its hashes; the first and the last block may contain others too.
 */
export async function* readBlocks(
  db: Database,
  place: Generation,
  { range, withAddresses = false }: BlockSelection = {},
): AsyncGenerator<Block> {
  const readBatch = (after?: Buffer) => selectBatch(db, { place, range, after, withAddresses });
  let pending = readBatch();
  for (;;) {
    const rows = await pending;
    const isLast = rows.length < blocksPerBatch;
    if (!isLast) {
      pending = readBatch(rows.at(-1)?.first);
      // The error is reported when the batch is awaited.
      pending.catch(() => undefined);
    }
    for (const { addresses, ...block } of rows) {
      if (addresses) yield { ...block, addresses: decryptAddresses({ ...block, addresses }, place.audienceId) };
      else yield block;
    }
    if (isLast) return;
  }
}

async function selectBatch(
  db: Database,
  {
    place,
    range,
    after,
    withAddresses,
  }: { place: Generation; range: HashRange | undefined; after: Buffer | undefined; withAddresses: boolean },
): Promise<(Omit<Block, "addresses"> & { first: Buffer; addresses?: Buffer | null })[]> {
  const own = and(eq(audienceBlocks.audienceId, place.audienceId), eq(audienceBlocks.generation, place.generation));
  return await db
    .select({
      first: audienceBlocks.firstHash,
      hashes: audienceBlocks.hashes,
      flags: audienceBlocks.flags,
      canonicalHashes: audienceBlocks.canonicalHashes,
      ...(withAddresses && { addresses: audienceBlocks.addresses }),
    })
    .from(audienceBlocks)
    .where(
      and(
        own,
        after && gt(audienceBlocks.firstHash, after),
        range && lt(audienceBlocks.firstHash, range.to),
        range && !after ? gte(audienceBlocks.firstHash, firstOfBlockWith(db, { own, hash: range.from })) : undefined,
      ),
    )
    .orderBy(asc(audienceBlocks.firstHash))
    .limit(blocksPerBatch);
}

/** Returns the first hash of the block that contains a hash or would contain it. */
function firstOfBlockWith(db: Database, { own, hash }: { own: SQL | undefined; hash: Buffer }): SQL {
  const before = db
    .select({ first: audienceBlocks.firstHash })
    .from(audienceBlocks)
    .where(and(own, lte(audienceBlocks.firstHash, hash)))
    .orderBy(desc(audienceBlocks.firstHash))
    .limit(1);
  return sql`coalesce((${before}), ${hash}::bytea)`;
}

/** Inserts blocks as plain parameters, because a failed COPY would hang the driver. */
export async function writeBlocks(
  db: Database,
  { audienceId, generation }: Generation,
  blocks: readonly Block[],
): Promise<void> {
  for (let from = 0; from < blocks.length; from += maxBlocksPerStatement) {
    const batch = blocks.slice(from, from + maxBlocksPerStatement);
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

/** Writes an audience's blocks while the next ones are built. */
export class BlockSink {
  private queue: Block[] = [];
  private readonly inFlight: Promise<void>[] = [];
  private readonly db: Database;
  private readonly place: Generation;

  constructor(db: Database, place: Generation) {
    this.db = db;
    this.place = place;
  }

  /** Resolves when more blocks can be accepted. */
  async put(blocks: readonly Block[]): Promise<void> {
    this.queue.push(...blocks);
    if (this.queue.length >= blocksPerBatch) await this.send(this.queue.splice(0));
  }

  /** Resolves when all blocks are written. */
  async end(): Promise<void> {
    if (this.queue.length > 0) await this.send(this.queue.splice(0));
    await Promise.all(this.inFlight.splice(0));
  }

  private async send(blocks: readonly Block[]): Promise<void> {
    if (this.inFlight.length >= maxConcurrentWrites) await this.inFlight.shift();
    const written = writeBlocks(this.db, this.place, blocks);
    // The error is reported by the next send or by `end`.
    written.catch(() => undefined);
    this.inFlight.push(written);
  }
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
export async function dropGeneration(db: Database, { audienceId, generation }: Generation): Promise<void> {
  await db
    .delete(audienceBlocks)
    .where(and(eq(audienceBlocks.audienceId, audienceId), eq(audienceBlocks.generation, generation)));
}

/** Deletes all of the audience's generations but its base and its deltas. */
export async function dropOtherGenerations(db: Database, place: Generations): Promise<void> {
  await db
    .delete(audienceBlocks)
    .where(
      and(eq(audienceBlocks.audienceId, place.audienceId), notInArray(audienceBlocks.generation, generationsOf(place))),
    );
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
