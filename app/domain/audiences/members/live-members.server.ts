import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import { type Generation, writeBlocks } from "./audience-blocks.server.ts";
import { type Block, BlockCursor, compareHashes, hashBytes } from "./block.ts";
import { type MergeCounts, mergeMembers } from "./merge-members.ts";
import { hashAt, type RemovedMembers } from "./removed-members.ts";
import { kindOf, kinds } from "./tag.ts";

/** A block holds so many before it is cut in two. */
const mostInBlock = 2_048;

const blockRow = z.object({
  first: columnValue(audienceBlocks.first),
  hashes: columnValue(audienceBlocks.hashes),
  tags: columnValue(audienceBlocks.tags),
  spellings: columnValue(audienceBlocks.spellings),
});

/** One hash as it is stored; `own` is the hash of the identifier's own text when this is another spelling of it. */
export type StoredMember = { tag: number; own: string | undefined };

/**
 * The part of an audience that a few hashes concern, changed where it stands. Only inside a transaction that holds the
 * audience's lock. Hashes are 32 bytes in a `latin1` string.
 */
export class LiveMembers {
  private readonly db: Database;
  private readonly place: Generation;
  private blocks: z.output<typeof blockRow>[] = [];

  constructor(db: Database, place: Generation) {
    this.db = db;
    this.place = place;
  }

  /** Loads the blocks in which these hashes are, or would be. */
  async load(hashes: readonly string[]): Promise<void> {
    const { audienceId, generation } = this.place;
    const list = hashes.map((hash) => Buffer.from(hash, "latin1").toString("hex"));
    const own = sql`audience_id = ${audienceId} and generation = ${generation}`;
    // As hexadecimal text: in an array the driver takes the backslash of `\\x…` for an escape. And block by block: of a
    // plain `in` PostgreSQL makes a walk through all of the audience's blocks.
    this.blocks = await queryRows(
      this.db,
      blockRow,
      sql`
        select block.* from (
          select distinct coalesce(
            (select first from audience_blocks where ${own} and first <= decode(wanted, 'hex') order by first desc limit 1),
            (select first from audience_blocks where ${own} order by first limit 1)
          ) as first from unnest(${sql.param(list)}::text[]) wanted
        ) place cross join lateral (
          select first, hashes, tags, spellings from audience_blocks where ${own} and first = place.first limit 1
        ) block order by block.first`,
    );
  }

  find(hash: string): StoredMember | undefined {
    const bytes = Buffer.from(hash, "latin1");
    const block = this.blocks[this.blockOf(bytes)];
    if (!block) return undefined;
    for (let low = 0, high = block.tags.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      const order = compareHashes(block.hashes, middle * hashBytes, bytes, 0);
      if (order === 0) return memberAt(block, middle);
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** Other spellings of these identifiers, wherever they are: looks through all blocks that have spellings. */
  async findSpellings(owns: ReadonlySet<string>): Promise<string[]> {
    const { audienceId, generation } = this.place;
    const blocks = await this.db
      .select({ hashes: audienceBlocks.hashes, tags: audienceBlocks.tags, spellings: audienceBlocks.spellings })
      .from(audienceBlocks)
      .where(
        and(
          eq(audienceBlocks.audienceId, audienceId),
          eq(audienceBlocks.generation, generation),
          sql`length(${audienceBlocks.spellings}) > 0`,
        ),
      );
    const found: string[] = [];
    for (const block of blocks) {
      for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
        if (kindOf(cursor.tag) !== kinds.spelling) continue;
        if (owns.has(hashAt(block.spellings, cursor.spellingOffset))) found.push(hashAt(block.hashes, cursor.offset));
      }
    }
    return found;
  }

  /** Adds `sent`, ascending, and removes `removed`, in the blocks that are loaded, which must be all that they concern. */
  async change({ sent, removed }: { sent: readonly Block[]; removed?: RemovedMembers }): Promise<MergeCounts> {
    const total: MergeCounts = { before: 0, size: 0, came: 0, went: 0, changed: false };
    const places = this.blocks.length === 0 ? [undefined] : this.blocks;
    for (const [index, stored] of places.entries()) {
      const next = this.blocks[index + 1]?.first;
      const fresh: Block[] = [];
      const counts = await mergeMembers({
        base: stored ? [stored] : [],
        sent: sent.flatMap((block) => partOf(block, index === 0 ? undefined : stored?.first, next)),
        removed,
        perBlock: 2 * mostInBlock,
        write: async (blocks) => void fresh.push(...blocks),
      });
      for (const key of ["before", "size", "came", "went"] as const) total[key] += counts[key];
      if (!counts.changed) continue;
      total.changed = true;
      if (stored) await this.delete(stored);
      await writeBlocks(this.db, this.place, fresh.flatMap(halved));
    }
    return total;
  }

  private async delete({ first }: z.output<typeof blockRow>): Promise<void> {
    const { audienceId, generation } = this.place;
    await this.db
      .delete(audienceBlocks)
      .where(
        and(
          eq(audienceBlocks.audienceId, audienceId),
          eq(audienceBlocks.generation, generation),
          eq(audienceBlocks.first, first),
        ),
      );
  }

  private blockOf(bytes: Buffer): number {
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

function memberAt(block: Block, index: number): StoredMember {
  const tag = block.tags[index] ?? 0;
  if (kindOf(tag) !== kinds.spelling) return { tag, own: undefined };
  let before = 0;
  for (let at = 0; at < index; at += 1) if (kindOf(block.tags[at] ?? 0) === kinds.spelling) before += 1;
  return { tag, own: hashAt(block.spellings, before * hashBytes) };
}

/** The hashes of a block from `from` on and below `to`. */
function partOf(block: Block, from: Uint8Array | undefined, to: Uint8Array | undefined): Block[] {
  const cursor = new BlockCursor(block);
  while (!cursor.done && from && compareHashes(block.hashes, cursor.offset, from, 0) < 0) cursor.next();
  const start = { index: cursor.index, spelling: cursor.spellingOffset };
  while (!cursor.done && (!to || compareHashes(block.hashes, cursor.offset, to, 0) < 0)) cursor.next();
  if (cursor.index === start.index) return [];
  return [
    {
      hashes: block.hashes.subarray(start.index * hashBytes, cursor.offset),
      tags: block.tags.subarray(start.index, cursor.index),
      spellings: block.spellings.subarray(start.spelling, cursor.spellingOffset),
    },
  ];
}

function halved(block: Block): Block[] {
  if (block.tags.length <= mostInBlock) return [block];
  const cursor = new BlockCursor(block);
  while (cursor.index < block.tags.length / 2) cursor.next();
  const { index, offset, spellingOffset } = cursor;
  return [
    {
      hashes: block.hashes.subarray(0, offset),
      tags: block.tags.subarray(0, index),
      spellings: block.spellings.subarray(0, spellingOffset),
    },
    {
      hashes: block.hashes.subarray(offset),
      tags: block.tags.subarray(index),
      spellings: block.spellings.subarray(spellingOffset),
    },
  ];
}
