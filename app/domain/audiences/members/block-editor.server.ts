import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import { type Generation, writeBlocks } from "./audience-blocks.server.ts";
import { type Block, BlockCursor, compareHashes, hashAt, hashBytes } from "./block.ts";
import { decryptAddresses } from "./block-addresses.server.ts";
import { identifierKinds, kindFromFlags } from "./identifier-flags.ts";
import { type MergeCounts, mergeMembers } from "./merge-members.ts";
import type { RemovalSet } from "./removal-set.ts";

/** A block with more hashes is split in two. */
const maxHashesPerBlock = 2_048;

const blockRow = z.object({
  first: columnValue(audienceBlocks.firstHash),
  hashes: columnValue(audienceBlocks.hashes),
  flags: columnValue(audienceBlocks.flags),
  canonicalHashes: columnValue(audienceBlocks.canonicalHashes),
  addresses: columnValue(audienceBlocks.addresses),
});
type LoadedBlock = Block & { first: Buffer };

/** The flags of a stored hash; `canonicalHash` is set when the hash is a variant. */
export type StoredHash = { tag: number; canonicalHash: string | undefined };

/**
 * Edits the blocks of an audience that contain a few given hashes in place. Use only inside a transaction that holds
 * the audience's lock. Hashes are 32 bytes in a `latin1` string.
 */
export class BlockEditor {
  private readonly db: Database;
  private readonly place: Generation;
  private blocks: LoadedBlock[] = [];

  constructor(db: Database, place: Generation) {
    this.db = db;
    this.place = place;
  }

  /** Loads the blocks that contain these hashes or would contain them. */
  async load(hashes: readonly string[]): Promise<void> {
    const { audienceId, generation } = this.place;
    const list = hashes.map((hash) => Buffer.from(hash, "latin1").toString("hex"));
    const own = sql`audience_id = ${audienceId} and generation = ${generation}`;
    // Sent as hexadecimal text, because in an array the driver treats the backslash of `\\x…` as an escape.
    // Looked up one by one, because PostgreSQL plans a plain `in` as a scan of all of the audience's blocks.
    const rows = await queryRows(
      this.db,
      blockRow,
      sql`
        select block.* from (
          select distinct coalesce(
            (select first_hash from audience_blocks where ${own} and first_hash <= decode(target, 'hex') order by first_hash desc limit 1),
            (select first_hash from audience_blocks where ${own} order by first_hash limit 1)
          ) as first from unnest(${sql.param(list)}::text[]) target
        ) place cross join lateral (
          select first_hash as first, hashes, flags, canonical_hashes as "canonicalHashes", addresses from audience_blocks where ${own} and first_hash = place.first limit 1
        ) block order by block.first`,
    );
    this.blocks = rows.map((row) => ({ ...row, addresses: decryptAddresses(row, audienceId) }));
  }

  find(hash: string): StoredHash | undefined {
    const bytes = Buffer.from(hash, "latin1");
    const block = this.blocks[this.indexOfBlock(bytes)];
    if (!block) return undefined;
    for (let low = 0, high = block.flags.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      const order = compareHashes(block.hashes, middle * hashBytes, bytes, 0);
      if (order === 0) return hashInfoAt(block, middle);
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** Finds the variants of these canonical hashes; reads all blocks of the audience that contain variants. */
  async findVariants(canonicalHashes: ReadonlySet<string>): Promise<string[]> {
    const { audienceId, generation } = this.place;
    const blocks = await this.db
      .select({
        hashes: audienceBlocks.hashes,
        flags: audienceBlocks.flags,
        canonicalHashes: audienceBlocks.canonicalHashes,
      })
      .from(audienceBlocks)
      .where(
        and(
          eq(audienceBlocks.audienceId, audienceId),
          eq(audienceBlocks.generation, generation),
          sql`length(${audienceBlocks.canonicalHashes}) > 0`,
        ),
      );
    const found: string[] = [];
    for (const block of blocks) {
      for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
        if (kindFromFlags(cursor.tag) !== identifierKinds.variant) continue;
        if (canonicalHashes.has(hashAt(block.canonicalHashes, cursor.canonicalOffset)))
          found.push(hashAt(block.hashes, cursor.offset));
      }
    }
    return found;
  }

  /**
   * Adds `added`, in ascending order, and removes `removed` from the loaded blocks, which must include all affected
   * ones.
   */
  async change({ added, removed }: { added: readonly Block[]; removed?: RemovalSet }): Promise<MergeCounts> {
    const total: MergeCounts = { before: 0, size: 0, added: 0, removed: 0, changed: false };
    const targets = this.blocks.length === 0 ? [undefined] : this.blocks;
    for (const [index, stored] of targets.entries()) {
      const next = this.blocks[index + 1]?.first;
      const newBlocks: Block[] = [];
      const counts = await mergeMembers({
        base: stored ? [stored] : [],
        uploaded: added.flatMap((block) => sliceBlock(block, index === 0 ? undefined : stored?.first, next)),
        removed,
        perBlock: 2 * maxHashesPerBlock,
        write: async (blocks) => void newBlocks.push(...blocks),
      });
      for (const key of ["before", "size", "added", "removed"] as const) total[key] += counts[key];
      if (!counts.changed) continue;
      total.changed = true;
      if (stored) await this.delete(stored);
      await writeBlocks(this.db, this.place, newBlocks.flatMap(splitInHalf));
    }
    return total;
  }

  private async delete({ first }: LoadedBlock): Promise<void> {
    const { audienceId, generation } = this.place;
    await this.db
      .delete(audienceBlocks)
      .where(
        and(
          eq(audienceBlocks.audienceId, audienceId),
          eq(audienceBlocks.generation, generation),
          eq(audienceBlocks.firstHash, first),
        ),
      );
  }

  private indexOfBlock(bytes: Buffer): number {
    let found = 0;
    for (let low = 0, high = this.blocks.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      const first = this.blocks[middle]?.first;
      if (first && first.compare(bytes) <= 0) {
        found = middle;
        low = middle + 1;
      } else high = middle - 1;
    }
    return found;
  }
}

function hashInfoAt(block: Block, index: number): StoredHash {
  const tag = block.flags[index] ?? 0;
  if (kindFromFlags(tag) !== identifierKinds.variant) return { tag, canonicalHash: undefined };
  let before = 0;
  for (let at = 0; at < index; at += 1)
    if (kindFromFlags(block.flags[at] ?? 0) === identifierKinds.variant) before += 1;
  return { tag, canonicalHash: hashAt(block.canonicalHashes, before * hashBytes) };
}

/** Returns the hashes of a block from `from` on and below `to`. */
function sliceBlock(block: Block, from: Uint8Array | undefined, to: Uint8Array | undefined): Block[] {
  const cursor = new BlockCursor(block);
  while (!cursor.done && from && compareHashes(block.hashes, cursor.offset, from, 0) < 0) cursor.next();
  const start = { index: cursor.index, canonicalOffset: cursor.canonicalOffset };
  while (!cursor.done && (!to || compareHashes(block.hashes, cursor.offset, to, 0) < 0)) cursor.next();
  if (cursor.index === start.index) return [];
  return [
    {
      hashes: block.hashes.subarray(start.index * hashBytes, cursor.offset),
      flags: block.flags.subarray(start.index, cursor.index),
      canonicalHashes: block.canonicalHashes.subarray(start.canonicalOffset, cursor.canonicalOffset),
      addresses: block.addresses,
    },
  ];
}

function splitInHalf(block: Block): Block[] {
  if (block.flags.length <= maxHashesPerBlock) return [block];
  const cursor = new BlockCursor(block);
  while (cursor.index < block.flags.length / 2) cursor.next();
  const { index, offset, canonicalOffset } = cursor;
  const { addresses } = block;
  return [
    {
      addresses,
      hashes: block.hashes.subarray(0, offset),
      flags: block.flags.subarray(0, index),
      canonicalHashes: block.canonicalHashes.subarray(0, canonicalOffset),
    },
    {
      addresses,
      hashes: block.hashes.subarray(offset),
      flags: block.flags.subarray(index),
      canonicalHashes: block.canonicalHashes.subarray(canonicalOffset),
    },
  ];
}
