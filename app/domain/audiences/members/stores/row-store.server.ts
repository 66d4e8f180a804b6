import { and, asc, desc, eq, gt, gte, inArray, lt, lte, notInArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import { type Block, compareHashes } from "../block.ts";
import { decryptAddresses } from "../block-addresses.server.ts";
import type { Generation } from "../generation.ts";
import type { BlockSelection, BlockStore, LoadedBlock } from "./block-store.ts";
import { hasOthersIn, listLeftOverIn, rowsWith } from "./generation-rows.server.ts";
import { findPartRows } from "./part-rows.server.ts";
import { blocksPerBatch, openRowWriter, writeRows } from "./row-writer.server.ts";

/** Stores blocks in the table `audience_blocks`, each in a row. */
export const rowStore: BlockStore = {
  read: readRows,
  find: findRows,
  findParts: findPartsOfRows,
  readVariants: (db, place) => readRows(db, place, { hasVariants: true }),
  async countHashes(db, { audienceId, generation }) {
    const [row] = await queryRows(
      db,
      countRow,
      sql`select coalesce(sum(length(flags)), 0) as hashes from audience_blocks where audience_id = ${audienceId} and generation = ${generation}`,
    );
    return row?.hashes ?? 0;
  },
  openWriter: openRowWriter,
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
  hasOthers: (db, known) => hasOthersIn(db, audienceBlocks, known),
  listLeftOver: (db) => listLeftOverIn(db, audienceBlocks),
};

const countRow = z.object({ hashes: z.coerce.number() });

function own({ audienceId, generation }: Generation): SQL | undefined {
  return and(eq(audienceBlocks.audienceId, audienceId), eq(audienceBlocks.generation, generation));
}

/** Reads in batches; the next batch is fetched while one is processed. */
async function* readRows(
  db: Database,
  place: Generation,
  selection: BlockSelection & { hasVariants?: boolean },
): AsyncGenerator<Block> {
  const readBatch = (after?: Buffer) => selectBatch(db, { ...selection, place, after });
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
    withAddresses = false,
    hasVariants = false,
  }: BlockSelection & { place: Generation; after: Buffer | undefined; hasVariants?: boolean },
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
        hasVariants ? sql`length(${audienceBlocks.canonicalHashes}) > 0` : undefined,
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

/** Of more hashes, many are in the same blocks of a delta. */
const maxHashesForParts = 16;

async function findPartsOfRows(
  db: Database,
  { audienceId, generations }: Parameters<BlockStore["find"]>[1],
  hashes: readonly string[],
): Promise<LoadedBlock[]> {
  if (hashes.length > maxHashesForParts) return await findRows(db, { audienceId, generations }, hashes);
  const { parts, missed } = await findPartRows(db, { audienceId, generations }, hashes);
  if (missed.length === 0) return parts;
  // Whoever uploads hashes may choose them so that they are not evenly distributed.
  const whole = await findRows(db, { audienceId, generations }, missed);
  const isWhole = new Set(whole.map(keyOf));
  return [...parts.filter((part) => !isWhole.has(keyOf(part))), ...whole].sort((one, other) =>
    compareHashes(one.hashes, 0, other.hashes, 0),
  );
}

function keyOf({ generation, first }: LoadedBlock): string {
  return `${generation} ${first.toString("latin1")}`;
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
  const rows = await queryRows(
    db,
    blockRow,
    sql`
      select block.* from (${rowsWith(audienceBlocks, { audienceId, generations }, hashes)}
      ) place cross join lateral (
        select generation, first_hash as first, hashes, flags, canonical_hashes as "canonicalHashes", addresses from audience_blocks
        where audience_id = ${audienceId} and generation = place.generation and first_hash = place.first limit 1
      ) block order by block.first`,
  );
  return rows.map((row) => ({ ...row, addresses: decryptAddresses(row, audienceId) }));
}
