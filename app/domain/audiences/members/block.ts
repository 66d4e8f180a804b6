import { kindOf, kinds } from "./tag.ts";

/** The length of a SHA-256, in bytes. */
export const hashBytes = 32;

/**
 * Hashes in ascending order, one after the other, with a tag each. `spellings` holds, for each tag of that kind and in
 * the same order, the hash of the identifier's own text.
 */
export type Block = { hashes: Uint8Array; tags: Uint8Array; spellings: Uint8Array };
/** A stream of blocks. */
export type Blocks = AsyncIterable<Block> | Iterable<Block>;

/** Reads a block hash by hash. */
export class BlockCursor {
  index = 0;
  private spelling = 0;
  readonly block: Block;

  constructor(block: Block) {
    this.block = block;
  }

  get done(): boolean {
    return this.index >= this.block.tags.length;
  }

  get tag(): number {
    return this.block.tags[this.index] ?? 0;
  }

  get offset(): number {
    return this.index * hashBytes;
  }

  /** Where the hash of the own text stands in `spellings`, when this is a spelling. */
  get spellingOffset(): number {
    return this.spelling * hashBytes;
  }

  /** What is left of the block, in the same memory; afterwards the cursor is done. */
  takeRest(): Block {
    const { block, index, offset, spellingOffset } = this;
    this.index = block.tags.length;
    if (index === 0) return block;
    return {
      hashes: block.hashes.subarray(offset),
      tags: block.tags.subarray(index),
      spellings: block.spellings.subarray(spellingOffset),
    };
  }

  next(): void {
    if (kindOf(this.tag) === kinds.spelling) this.spelling += 1;
    this.index += 1;
  }
}

/** Below 0, 0 or above 0, as the hashes at the two offsets compare. */
export function compareHashes(a: Uint8Array, aOffset: number, b: Uint8Array, bOffset: number): number {
  for (let index = 0; index < hashBytes; index += 1) {
    const difference = (a[aOffset + index] ?? 0) - (b[bOffset + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
