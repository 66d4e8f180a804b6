import { type Block, compareHashes, hashBytes } from "./block.ts";
import { identifierKinds, kindFromFlags } from "./identifier-flags.ts";

export const emptyBlock: Block = {
  hashes: new Uint8Array(0),
  flags: new Uint8Array(0),
  canonicalHashes: new Uint8Array(0),
};

/** Cuts a block into consecutive ones, which share its memory. */
export class BlockSlices {
  private index = 0;
  private canonicalOffset = 0;
  private readonly block: Block;

  constructor(block: Block) {
    this.block = block;
  }

  /** Returns the next hashes, those below the first hash in `bound`, or all that are left. */
  sliceBelow(bound: Uint8Array | undefined): Block {
    return this.sliceTo(bound ? lowerBound(this.block, bound, 0, this.index) : this.block.flags.length);
  }

  /** Returns the next hashes, those up to an index of the block. */
  sliceTo(end: number): Block {
    const { block, index, canonicalOffset } = this;
    if (end <= index) return emptyBlock;
    this.index = end;
    this.canonicalOffset += countVariants(block, index, end) * hashBytes;
    return {
      hashes: block.hashes.subarray(index * hashBytes, end * hashBytes),
      flags: block.flags.subarray(index, end),
      canonicalHashes: block.canonicalHashes.subarray(canonicalOffset, this.canonicalOffset),
      addresses: block.addresses,
    };
  }
}

/** Counts the variants among the hashes from `from` to `to`. */
export function countVariants({ flags, canonicalHashes }: Block, from: number, to: number): number {
  if (canonicalHashes.length === 0) return 0;
  let count = 0;
  for (let index = from; index < to; index += 1)
    if (kindFromFlags(flags[index] ?? 0) === identifierKinds.variant) count += 1;
  return count;
}

/**
 * Returns the index of the first hash of a block, from `low` on, that is not below the hash at an offset of `bytes`.
 */
export function lowerBound({ hashes, flags }: Block, bytes: Uint8Array, offset: number, low: number): number {
  let [from, to] = [low, flags.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareHashes(hashes, middle * hashBytes, bytes, offset) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
