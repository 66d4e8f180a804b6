import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceBlocks } from "#db/schema/index.ts";
import { type Block, BlockCursor, compareHashes, hashAt, hashBytes } from "./block.ts";
import { decryptAddresses } from "./block-addresses.server.ts";
import { countVariants, lowerBound } from "./block-slices.ts";
import { type Generations, generationsOf, isRemoved } from "./deltas.ts";
import { hasVariants, identifierKinds, kindFromFlags } from "./identifier-flags.ts";

const blockRow = z.object({
  generation: columnValue(audienceBlocks.generation),
  first: columnValue(audienceBlocks.firstHash),
  hashes: columnValue(audienceBlocks.hashes),
  flags: columnValue(audienceBlocks.flags),
  canonicalHashes: columnValue(audienceBlocks.canonicalHashes),
  addresses: columnValue(audienceBlocks.addresses),
});
export type LoadedBlock = Block & { generation: number; first: Buffer };
export type Layer = { generation: number; blocks: LoadedBlock[] };

/** The flags of a stored hash; `canonicalHash` is set when the hash is a variant. */
export type StoredHash = { tag: number; canonicalHash: string | undefined; address: string | undefined };

/** Looks up single hashes in an audience's base and deltas. Hashes are 32 bytes in a `latin1` string. */
export class MemberLookUp {
  protected readonly db: Database;
  protected readonly place: Generations;
  /** The loaded blocks of each generation, ascending; the newest generation first, the base last. */
  protected layers: Layer[] = [];
  /** The hashes that were loaded last. */
  protected loaded: readonly string[] = [];

  constructor(db: Database, place: Generations) {
    this.db = db;
    this.place = place;
  }

  /** Loads the blocks that contain these hashes or would contain them. */
  async load(hashes: readonly string[]): Promise<void> {
    this.loaded = hashes;
    const { audienceId, generation } = this.place;
    const generations = generationsOf(this.place).toReversed();
    const list = hashes.map((hash) => Buffer.from(hash, "latin1").toString("hex"));
    const own = sql`audience_id = ${audienceId} and generation = layer.generation`;
    // Sent as hexadecimal text, because in an array the driver treats the backslash of `\\x…` as an escape.
    // Looked up one by one, because PostgreSQL plans a plain `in` as a scan of all of the audience's blocks.
    const rows = await queryRows(
      this.db,
      blockRow,
      sql`
        select block.* from (
          select distinct layer.generation, coalesce(
            (select first_hash from audience_blocks where ${own} and first_hash <= decode(target, 'hex') order by first_hash desc limit 1),
            case when layer.generation = ${generation} then (select first_hash from audience_blocks where ${own} order by first_hash limit 1) end
          ) as first from unnest(${sql.param(list)}::text[]) target cross join unnest(${sql.param(generations)}::int[]) layer (generation)
        ) place cross join lateral (
          select generation, first_hash as first, hashes, flags, canonical_hashes as "canonicalHashes", addresses from audience_blocks
          where audience_id = ${audienceId} and generation = place.generation and first_hash = place.first limit 1
        ) block order by block.first`,
    );
    const blocks = rows.map((row) => ({ ...row, addresses: decryptAddresses(row, audienceId) }));
    this.layers = generations.map((one) => ({
      generation: one,
      blocks: blocks.filter((row) => row.generation === one),
    }));
  }

  /** Returns a hash of the audience; the newest generation that has it decides. */
  find(hash: string): StoredHash | undefined {
    for (const { blocks } of this.layers) {
      const found = findIn(blocks, hash);
      if (found) return isRemoved(found.tag) ? undefined : found;
    }
    return undefined;
  }

  /** Returns the canonical hash that a loaded hash is a variant of. */
  canonicalHashesOf(hash: string): string[] {
    const canonicalHash = this.find(hash)?.canonicalHash;
    return canonicalHash === undefined ? [] : [canonicalHash];
  }

  mayHaveVariants(hash: string): boolean {
    return hasVariants(this.find(hash)?.tag ?? 0);
  }

  isVariantOf(hash: string, canonicalHashes: ReadonlySet<string>): boolean {
    return this.canonicalHashesOf(hash).some((canonicalHash) => canonicalHashes.has(canonicalHash));
  }

  /**
   * Finds the hashes that are variants of these canonical hashes in any generation; a newer one may have changed them. Reads
   * all blocks of the audience that contain variants.
   */
  async findVariants(canonicalHashes: ReadonlySet<string>): Promise<string[]> {
    const { audienceId } = this.place;
    const list = sql.param(generationsOf(this.place));
    const blocks = await this.db
      .select({
        hashes: audienceBlocks.hashes,
        flags: audienceBlocks.flags,
        canonicalHashes: audienceBlocks.canonicalHashes,
      })
      .from(audienceBlocks)
      .where(
        sql`${audienceBlocks.audienceId} = ${audienceId} and ${audienceBlocks.generation} = any(${list}::int[]) and length(${audienceBlocks.canonicalHashes}) > 0`,
      );
    return variantsIn(blocks, canonicalHashes);
  }
}

export function variantsIn(blocks: readonly Block[], canonicalHashes: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const block of blocks) {
    for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
      if (kindFromFlags(cursor.tag) !== identifierKinds.variant) continue;
      if (canonicalHashes.has(hashAt(block.canonicalHashes, cursor.canonicalOffset)))
        found.add(hashAt(block.hashes, cursor.offset));
    }
  }
  return [...found];
}

/** Finds a hash in blocks of one generation; removed hashes too. */
export function findIn(blocks: readonly Block[], hash: string): StoredHash | undefined {
  const bytes = Buffer.from(hash, "latin1");
  const block = blocks[indexOfBlock(blocks, bytes)];
  if (!block) return undefined;
  const index = lowerBound(block, bytes, 0, 0);
  const isFound = index < block.flags.length && compareHashes(block.hashes, index * hashBytes, bytes, 0) === 0;
  return isFound ? hashInfoAt(block, index) : undefined;
}

function indexOfBlock(blocks: readonly Block[], bytes: Buffer): number {
  let found = 0;
  for (let low = 0, high = blocks.length - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    const block = blocks[middle];
    if (block && block.flags.length > 0 && compareHashes(block.hashes, 0, bytes, 0) <= 0) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

function hashInfoAt(block: Block, index: number): StoredHash {
  const tag = block.flags[index] ?? 0;
  const address = block.addresses?.get(hashAt(block.hashes, index * hashBytes));
  if (kindFromFlags(tag) !== identifierKinds.variant) return { tag, canonicalHash: undefined, address };
  const before = countVariants(block, 0, index);
  return { tag, canonicalHash: hashAt(block.canonicalHashes, before * hashBytes), address };
}
