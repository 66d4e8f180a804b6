import { and, asc, desc, eq, gt, gte, inArray, lt, lte, notInArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks, audiences } from "#db/schema/index.ts";
import { type Block, hashBytes } from "../block.ts";
import { decryptAddresses, encryptAddresses } from "../block-addresses.server.ts";
import type { Generation } from "../generation.ts";
import type { HashRange } from "../hash-sample.ts";
import type { BlockSelection, BlockStore, BlockWriter, LoadedBlock } from "./block-store.ts";

/** The number of blocks per read or write; 64 blocks are 2 MB. */
const blocksPerBatch = 64;
const maxBlocksPerStatement = 4 * blocksPerBatch;
/** One batch is being written while the next one is built. */
const maxConcurrentWrites = 2;

/** Stores blocks in the table `audience_blocks`, each in a row. */
export const rowStore: BlockStore = {
  read: readRows,
  find: findRows,
  async *readVariants(db, { audienceId, generations }) {
    yield* await db
      .select({
        hashes: audienceBlocks.hashes,
        flags: audienceBlocks.flags,
        canonicalHashes: audienceBlocks.canonicalHashes,
      })
      .from(audienceBlocks)
      .where(
        sql`${audienceBlocks.audienceId} = ${audienceId} and ${audienceBlocks.generation} = any(${sql.param(generations)}::int[]) and length(${audienceBlocks.canonicalHashes}) > 0`,
      );
  },
  async countHashes(db, { audienceId, generation }) {
    const [row] = await queryRows(
      db,
      countRow,
      sql`select coalesce(sum(length(flags)), 0) as hashes from audience_blocks where audience_id = ${audienceId} and generation = ${generation}`,
    );
    return row?.hashes ?? 0;
  },
  openWriter: (db, place) => new RowWriter(db, place),
  async replace(db, place, { removed, added }) {
    const firsts = removed.map(({ first }) => first);
    if (firsts.length > 0)
      await db.delete(audienceBlocks).where(and(own(place), inArray(audienceBlocks.firstHash, firsts)));
    await writeRows(db, place, added);
  },
  async drop(db, place) {
    await db.delete(audienceBlocks).where(own(place));
  },
  async dropOthers(db, { audienceId, generations }) {
    await db
      .delete(audienceBlocks)
      .where(and(eq(audienceBlocks.audienceId, audienceId), notInArray(audienceBlocks.generation, [...generations])));
  },
  async listLeftOver(db) {
    const left = await db
      .selectDistinct({ audienceId: audienceBlocks.audienceId })
      .from(audienceBlocks)
      .innerJoin(audiences, eq(audiences.id, audienceBlocks.audienceId))
      .where(
        sql`${audienceBlocks.generation} <> ${audiences.generation} and not exists (
          select from jsonb_array_elements(${audiences.deltas} -> 'list') delta where (delta ->> 'generation')::int = ${audienceBlocks.generation})`,
      )
      .limit(100);
    return left.map(({ audienceId }) => audienceId);
  },
};

const countRow = z.object({ hashes: z.coerce.number() });

function own({ audienceId, generation }: Generation): SQL | undefined {
  return and(eq(audienceBlocks.audienceId, audienceId), eq(audienceBlocks.generation, generation));
}

/** Reads in batches; the next batch is fetched while one is processed. */
async function* readRows(
  db: Database,
  place: Generation,
  { range, withAddresses = false }: BlockSelection,
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
        own(place),
        after && gt(audienceBlocks.firstHash, after),
        range && lt(audienceBlocks.firstHash, range.to),
        range && !after ? gte(audienceBlocks.firstHash, firstOfBlockWith(db, place, range.from)) : undefined,
      ),
    )
    .orderBy(asc(audienceBlocks.firstHash))
    .limit(blocksPerBatch);
}

/** Returns the first hash of the block that contains a hash or would contain it. */
function firstOfBlockWith(db: Database, place: Generation, hash: Buffer): SQL {
  const before = db
    .select({ first: audienceBlocks.firstHash })
    .from(audienceBlocks)
    .where(and(own(place), lte(audienceBlocks.firstHash, hash)))
    .orderBy(desc(audienceBlocks.firstHash))
    .limit(1);
  return sql`coalesce((${before}), ${hash}::bytea)`;
}

const blockRow = z.object({
  generation: columnValue(audienceBlocks.generation),
  first: columnValue(audienceBlocks.firstHash),
  hashes: columnValue(audienceBlocks.hashes),
  flags: columnValue(audienceBlocks.flags),
  canonicalHashes: columnValue(audienceBlocks.canonicalHashes),
  addresses: columnValue(audienceBlocks.addresses),
});

async function findRows(
  db: Database,
  { audienceId, generations }: Parameters<BlockStore["find"]>[1],
  hashes: readonly string[],
): Promise<LoadedBlock[]> {
  const list = hashes.map((hash) => Buffer.from(hash, "latin1").toString("hex"));
  const ofLayer = sql`audience_id = ${audienceId} and generation = layer.generation`;
  // Sent as hexadecimal text, because in an array the driver treats the backslash of `\\x…` as an escape.
  // Looked up one by one, because PostgreSQL plans a plain `in` as a scan of all of the audience's blocks. The arrays are
  // subqueries, which have the same cost at any length: otherwise each call is planned again, for longer than it runs.
  const rows = await queryRows(
    db,
    blockRow,
    sql`
      select block.* from (
        select distinct layer.generation, coalesce(
          (select first_hash from audience_blocks where ${ofLayer} and first_hash <= decode(target, 'hex') order by first_hash desc limit 1),
          (select first_hash from audience_blocks where ${ofLayer} order by first_hash limit 1)
        ) as first from unnest((select ${sql.param(list)}::text[])) target cross join unnest((select ${sql.param(generations)}::int[])) layer (generation)
      ) place cross join lateral (
        select generation, first_hash as first, hashes, flags, canonical_hashes as "canonicalHashes", addresses from audience_blocks
        where audience_id = ${audienceId} and generation = place.generation and first_hash = place.first limit 1
      ) block order by block.first`,
  );
  return rows.map((row) => ({ ...row, addresses: decryptAddresses(row, audienceId) }));
}

class RowWriter implements BlockWriter {
  private queue: Block[] = [];
  private readonly inFlight: Promise<void>[] = [];
  private readonly db: Database;
  private readonly place: Generation;

  constructor(db: Database, place: Generation) {
    this.db = db;
    this.place = place;
  }

  async put(blocks: readonly Block[]): Promise<void> {
    this.queue.push(...blocks);
    if (this.queue.length >= blocksPerBatch) await this.send(this.queue.splice(0));
  }

  async end(): Promise<void> {
    if (this.queue.length > 0) await this.send(this.queue.splice(0));
    await Promise.all(this.inFlight.splice(0));
  }

  private async send(blocks: readonly Block[]): Promise<void> {
    if (this.inFlight.length >= maxConcurrentWrites) await this.inFlight.shift();
    const written = writeRows(this.db, this.place, blocks);
    // The error is reported by the next send or by `end`.
    written.catch(() => undefined);
    this.inFlight.push(written);
  }
}

/** Inserts blocks as plain parameters, because a failed COPY would hang the driver. */
async function writeRows(
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
