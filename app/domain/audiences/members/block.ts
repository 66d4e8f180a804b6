import { identifierKinds, kindFromFlags } from "./identifier-flags.ts";

/** The size of a SHA-256 hash in bytes. */
export const hashBytes = 32;

/** Addresses (`packAddress`) by the hash of the person, both as `latin1` strings. */
export type Addresses = ReadonlyMap<string, string>;
/**
 * Hashes in ascending order, concatenated, with one byte of flags each in `flags`. `canonicalHashes` contains that
 * of each variant, in the same order. `addresses` has those of its people, and maybe of other blocks' people.
 */
export type Block = {
  hashes: Uint8Array;
  flags: Uint8Array;
  canonicalHashes: Uint8Array;
  addresses?: Addresses | undefined;
};
export type Blocks = AsyncIterable<Block> | Iterable<Block>;

/** Reads a block hash by hash. */
export class BlockCursor {
  index = 0;
  private variantIndex = 0;
  readonly block: Block;

  constructor(block: Block) {
    this.block = block;
  }

  get done(): boolean {
    return this.index >= this.block.flags.length;
  }

  get tag(): number {
    return this.block.flags[this.index] ?? 0;
  }

  get offset(): number {
    return this.index * hashBytes;
  }

  /** The offset of the canonical hash in `canonicalHashes` when this hash is a variant. */
  get canonicalOffset(): number {
    return this.variantIndex * hashBytes;
  }

  /** The address of the person with this hash, where it is known. */
  get address(): string | undefined {
    const { addresses, hashes } = this.block;
    return addresses?.get(hashAt(hashes, this.offset));
  }

  /** Returns the rest of the block in the same memory and moves the cursor to the end. */
  drainRest(): Block {
    const { block, index, offset, canonicalOffset } = this;
    this.index = block.flags.length;
    if (index === 0) return block;
    return {
      hashes: block.hashes.subarray(offset),
      flags: block.flags.subarray(index),
      canonicalHashes: block.canonicalHashes.subarray(canonicalOffset),
      addresses: block.addresses,
    };
  }

  next(): void {
    if (kindFromFlags(this.tag) === identifierKinds.variant) this.variantIndex += 1;
    this.index += 1;
  }
}

/** Returns the hash at an offset as a `latin1` string. */
export function hashAt(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, hashBytes).toString("latin1");
}

/** Returns a number below 0, 0, or above 0, as the hashes at the two offsets compare. */
export function compareHashes(a: Uint8Array, aOffset: number, b: Uint8Array, bOffset: number): number {
  for (let index = 0; index < hashBytes; index += 1) {
    const difference = (a[aOffset + index] ?? 0) - (b[bOffset + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
