import { and, asc, desc, eq, gt, gte, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import type { AudienceId } from "../../ids.ts";
import { type Block, hashBytes } from "./block.ts";
import type { HashRange } from "./sample.ts";

/** Blocks in a read or a write: 64 are 2 MB. */
const batch = 64;
const mostInStatement = 4 * batch;
/** One is on its way to the database while the other is made. */
const writesAtOnce = 2;

export type Generation = { audienceId: AudienceId; generation: number };

/**
 * An audience's blocks in ascending order, a batch at a time, of which the next comes while one is worked on: all of them, or
 * those that have hashes of a range (the first and the last may have others too).
 */
export async function* readBlocks(db: Database, place: Generation, range?: HashRange): AsyncGenerator<Block> {
  const readBatch = (after?: Buffer) => readSome(db, { place, range, after });
  let coming = readBatch();
  for (;;) {
    const rows = await coming;
    const isLast = rows.length < batch;
    if (!isLast) {
      coming = readBatch(rows.at(-1)?.first);
      // Told to whoever asks for it, if anybody does.
      coming.catch(() => undefined);
    }
    yield* rows;
    if (isLast) return;
  }
}

async function readSome(
  db: Database,
  { place, range, after }: { place: Generation; range: HashRange | undefined; after: Buffer | undefined },
): Promise<(Block & { first: Buffer })[]> {
  const own = and(eq(audienceBlocks.audienceId, place.audienceId), eq(audienceBlocks.generation, place.generation));
  return await db
    .select({
      first: audienceBlocks.first,
      hashes: audienceBlocks.hashes,
      tags: audienceBlocks.tags,
      spellings: audienceBlocks.spellings,
    })
    .from(audienceBlocks)
    .where(
      and(
        own,
        after && gt(audienceBlocks.first, after),
        range && lt(audienceBlocks.first, range.to),
        range && !after ? gte(audienceBlocks.first, firstWith(db, { own, hash: range.from })) : undefined,
      ),
    )
    .orderBy(asc(audienceBlocks.first))
    .limit(batch);
}

/** Where the block begins that has a hash, or would have it. */
function firstWith(db: Database, { own, hash }: { own: SQL | undefined; hash: Buffer }): SQL {
  const before = db
    .select({ first: audienceBlocks.first })
    .from(audienceBlocks)
    .where(and(own, lte(audienceBlocks.first, hash)))
    .orderBy(desc(audienceBlocks.first))
    .limit(1);
  return sql`coalesce((${before}), ${hash}::bytea)`;
}

/** Inserts blocks as plain parameters: a COPY of ours that failed would hang the driver. */
export async function writeBlocks(
  db: Database,
  { audienceId, generation }: Generation,
  blocks: readonly Block[],
): Promise<void> {
  for (let from = 0; from < blocks.length; from += mostInStatement) {
    const some = blocks.slice(from, from + mostInStatement);
    const tags = inOne(some.map((block) => block.tags));
    const hashes = inOne(some.map((block) => block.hashes));
    const spellings = inOne(some.map((block) => block.spellings));
    // One value for all blocks, which PostgreSQL cuts: six for each would cost more than the hashing.
    await db.execute(sql`
      insert into audience_blocks (audience_id, generation, first, hashes, tags, spellings)
      select ${audienceId}::uuid, ${generation}::int, substr(hashes, hash, ${hashBytes}::int), substr(hashes, hash, hash_bytes),
        substr(tags, tag, tag_bytes), substr(spellings, spelling, spelling_bytes)
      from (select ${hashes.bytes}::bytea as hashes, ${tags.bytes}::bytea as tags, ${spellings.bytes}::bytea as spellings) sent,
        unnest(${sql.param(hashes.starts)}::int[], ${sql.param(hashes.lengths)}::int[],
        ${sql.param(tags.starts)}::int[], ${sql.param(tags.lengths)}::int[],
        ${sql.param(spellings.starts)}::int[], ${sql.param(spellings.lengths)}::int[])
        as cut (hash, hash_bytes, tag, tag_bytes, spelling, spelling_bytes)`);
  }
}

/** Writes an audience's blocks while the next ones are made. */
export class BlockSink {
  private waiting: Block[] = [];
  private readonly underway: Promise<void>[] = [];
  private readonly db: Database;
  private readonly place: Generation;

  constructor(db: Database, place: Generation) {
    this.db = db;
    this.place = place;
  }

  /** Comes back when more can be taken. */
  async put(blocks: readonly Block[]): Promise<void> {
    this.waiting.push(...blocks);
    if (this.waiting.length >= batch) await this.send(this.waiting.splice(0));
  }

  /** When all is written. */
  async end(): Promise<void> {
    if (this.waiting.length > 0) await this.send(this.waiting.splice(0));
    await Promise.all(this.underway.splice(0));
  }

  private async send(blocks: readonly Block[]): Promise<void> {
    if (this.underway.length >= writesAtOnce) await this.underway.shift();
    const written = writeBlocks(this.db, this.place, blocks);
    // Told to whoever waits for it next.
    written.catch(() => undefined);
    this.underway.push(written);
  }
}

const generationRow = z.object({ generation: z.number() });

/** A number that no other rewrite of any audience has: what is written under it is invisible until the audience names it. */
export async function newGeneration(db: Database): Promise<number> {
  const [row] = await queryRows(db, generationRow, sql`select nextval('audience_generations')::int as generation`);
  if (!row) throw new Error("a sequence always answers");
  return row.generation;
}

/** Removes what an audience no longer names, a piece at a time. */
export async function dropGeneration(db: Database, { audienceId, generation }: Generation): Promise<void> {
  await db
    .delete(audienceBlocks)
    .where(and(eq(audienceBlocks.audienceId, audienceId), eq(audienceBlocks.generation, generation)));
}

/** The same for all but one. */
export async function dropOtherGenerations(db: Database, { audienceId, generation }: Generation): Promise<void> {
  await db
    .delete(audienceBlocks)
    .where(and(eq(audienceBlocks.audienceId, audienceId), ne(audienceBlocks.generation, generation)));
}

/** All parts one after the other, and where each stands, from 1 on. Not copied when they stand so already. */
function inOne(parts: readonly Uint8Array[]): { bytes: Buffer; starts: number[]; lengths: number[] } {
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
