import type { Database } from "#db/client.server.ts";
import { findBlocks, readVariantBlocks } from "./audience-blocks.server.ts";
import { type Block, BlockCursor, compareHashes, hashAt, hashBytes } from "./block.ts";
import { countVariants, lowerBound } from "./block-slices.ts";
import { type Generations, generationsOf, isRemoved } from "./deltas.ts";
import type { Generation } from "./generation.ts";
import { hasVariants, identifierKinds, kindFromFlags } from "./identifier-flags.ts";
import type { LoadedBlock } from "./stores/block-store.ts";

export type Layer = { place: Generation; blocks: LoadedBlock[] };

/** The flags of a stored hash; `canonicalHash` is set when the hash is a variant. */
export type StoredHash = { tag: number; canonicalHash: string | undefined; address: string | undefined };

/** Looks up single hashes in an audience's base and deltas. Hashes are 32 bytes in a `latin1` string. */
export class MemberLookUp {
  protected readonly db: Database;
  protected readonly place: Generations;
  /** Whether only the parts of blocks around the hashes are loaded. */
  protected readonly loadsParts: boolean = true;
  /** The loaded blocks of each generation, ascending; the newest generation first, the base last. */
  protected layers: Layer[] = [];
  /** The hashes that were loaded last. */
  protected loaded: readonly string[] = [];

  constructor(db: Database, place: Generations) {
    this.db = db;
    this.place = place;
  }

  /** Loads what the audience has of these hashes. */
  async load(hashes: readonly string[]): Promise<void> {
    this.loaded = hashes;
    const blocks = await findBlocks(this.db, this.place, { hashes, parts: this.loadsParts });
    this.layers = generationsOf(this.place)
      .toReversed()
      .map((place) => ({ place, blocks: blocks.filter(({ generation }) => generation === place.generation) }));
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
   * Finds the hashes that are variants of these canonical hashes in any generation; a newer one may have changed them.
   * Reads all blocks of the audience that contain variants.
   */
  async findVariants(canonicalHashes: ReadonlySet<string>): Promise<string[]> {
    const found = new Set<string>();
    for await (const block of readVariantBlocks(this.db, this.place))
      for (const hash of variantsIn([block], canonicalHashes)) found.add(hash);
    return [...found];
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
