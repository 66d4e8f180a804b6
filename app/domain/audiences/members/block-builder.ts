import { type Block, type BlockCursor, hashAt, hashBytes } from "./block.ts";
import { BlockSlices } from "./block-slices.ts";
import { identifierKinds, kindFromFlags } from "./identifier-flags.ts";

/** Few, because a look-up counts the variants in a block. */
export const hashesPerBlock = 1_024;

/** Collects hashes, added in ascending order, into blocks of `perBlock`. */
export class BlockBuilder {
  private hashes: Buffer;
  private flags: Uint8Array;
  private canonicalHashes: Uint8Array[] = [];
  private addresses = new Map<string, string>();
  private length = 0;
  private readonly full: Block[] = [];
  private readonly perBlock: number;

  constructor(perBlock: number = hashesPerBlock) {
    this.perBlock = perBlock;
    this.hashes = Buffer.allocUnsafeSlow(perBlock * hashBytes);
    this.flags = new Uint8Array(perBlock);
  }

  /**
   * Adds the hash at the cursor with `tag`. For a variant, `own` is the cursor that holds its canonical hash. `address`
   * is the person's.
   */
  put(cursor: BlockCursor, tag: number, own: BlockCursor = cursor, address?: string): void {
    const { hashes } = cursor.block;
    for (let index = 0; index < hashBytes; index += 1) {
      this.hashes[this.length * hashBytes + index] = hashes[cursor.offset + index] ?? 0;
    }
    this.flags[this.length] = tag;
    this.length += 1;
    if (kindFromFlags(tag) === identifierKinds.variant) {
      this.canonicalHashes.push(own.block.canonicalHashes.slice(own.canonicalOffset, own.canonicalOffset + hashBytes));
    }
    if (address !== undefined) this.addresses.set(hashAt(hashes, cursor.offset), address);
    if (this.length === this.perBlock) this.cut();
  }

  /** Adds a whole block. A large block is cut into equal parts that share its memory. */
  putAll(block: Block): void {
    const { length } = block.flags;
    if (this.length + length <= this.perBlock) {
      this.copy(block);
      return;
    }
    if (this.length > 0) this.cut();
    const slices = new BlockSlices(block);
    const parts = Math.ceil(length / this.perBlock);
    for (let part = 1; part <= parts; part += 1) this.full.push(slices.sliceTo(Math.ceil((part * length) / parts)));
  }

  /** Adds a whole block, so that all blocks but the last are full. */
  fill(block: Block): void {
    const slices = new BlockSlices(block);
    for (let from = 0; from < block.flags.length; ) {
      from = Math.min(block.flags.length, from + this.perBlock - this.length);
      this.copy(slices.sliceTo(from));
    }
  }

  /** Returns the full blocks; with `last`, also the unfinished one. */
  drain(last = false): Block[] {
    if (last && this.length > 0) this.cut();
    return this.full.splice(0);
  }

  private copy({ hashes, flags, canonicalHashes, addresses }: Block): void {
    this.hashes.set(hashes, this.length * hashBytes);
    this.flags.set(flags, this.length);
    if (canonicalHashes.length > 0) this.canonicalHashes.push(canonicalHashes);
    for (let index = 0; addresses && index < flags.length; index += 1) {
      const hash = hashAt(hashes, index * hashBytes);
      const address = addresses.get(hash);
      if (address !== undefined) this.addresses.set(hash, address);
    }
    this.length += flags.length;
    if (this.length === this.perBlock) this.cut();
  }

  private cut(): void {
    this.full.push({
      hashes: this.hashes.subarray(0, this.length * hashBytes),
      flags: this.flags.subarray(0, this.length),
      canonicalHashes: Buffer.concat(this.canonicalHashes),
      addresses: this.addresses.size > 0 ? this.addresses : undefined,
    });
    this.hashes = Buffer.allocUnsafeSlow(this.perBlock * hashBytes);
    this.flags = new Uint8Array(this.perBlock);
    this.canonicalHashes = [];
    this.addresses = new Map();
    this.length = 0;
  }
}

/** Cuts a block into blocks of 1,024 hashes. */
export function cutBlock(block: Block): Block[] {
  const builder = new BlockBuilder();
  builder.fill(block);
  return builder.drain(true);
}
