import { type Addresses, type Block, compareHashes, hashAt, hashBytes } from "./block.ts";
import { BlockSlices, countVariants, emptyBlock, lowerBound } from "./block-slices.ts";
import { isRemoved } from "./deltas.ts";
import { type HashRange, indexRange } from "./hash-sample.ts";

/** Concatenates blocks in ascending order of their hashes into one. */
export function joinBlocks(blocks: readonly Block[]): Block {
  const [only = emptyBlock] = blocks;
  if (blocks.length <= 1) return only;
  return {
    hashes: Buffer.concat(blocks.map(({ hashes }) => hashes)),
    flags: Buffer.concat(blocks.map(({ flags }) => flags)),
    canonicalHashes: Buffer.concat(blocks.map(({ canonicalHashes }) => canonicalHashes)),
    addresses: joinAddresses(blocks.map(({ addresses }) => addresses)),
  };
}

function joinAddresses(all: readonly (Addresses | undefined)[]): Addresses | undefined {
  const known = all.flatMap((one) => one ?? []);
  return known.length <= 1 ? known[0] : new Map(known.flatMap((one) => [...one]));
}

/** Puts newer entries over older ones, both of deltas: removed hashes stay, so that they hide those of the base. */
export function stackDeltas(older: Block, newer: Block): Block {
  return cover(older, newer, true);
}

type Cover = {
  /** Blocks in ascending order: of a base, or of the oldest delta. */
  base: AsyncIterable<Block>;
  /** The entries of the deltas over it, the oldest first. */
  deltas: readonly Block[];
  /** Limits the result to exactly the hashes in it. */
  range?: HashRange | undefined;
  /** For deltas over a delta: removed hashes stay. */
  keepsRemoved?: boolean;
};

/**
 * Yields blocks in ascending order with the entries of deltas over them. The deltas are combined block by block, so
 * that no step is long.
 */
export async function* coverBlocks({ base, deltas, range, keepsRemoved = false }: Cover): AsyncGenerator<Block> {
  const slices = deltas.map((delta) => new BlockSlices(range ? trim(delta, range) : delta));
  const coverWith = (block: Block, bound: Uint8Array | undefined) =>
    cover(block, slices.map((delta) => delta.sliceBelow(bound)).reduce(stackDeltas, emptyBlock), keepsRemoved);
  let pending = emptyBlock;
  for await (const read of base) {
    const block = range ? trim(read, range) : read;
    if (block.flags.length === 0) continue;
    // What comes before the first block is put into it.
    if (pending.flags.length > 0) {
      const covered = coverWith(pending, block.hashes);
      if (covered.flags.length > 0) yield covered;
    }
    pending = block;
  }
  const covered = coverWith(pending, undefined);
  if (covered.flags.length > 0) yield covered;
}

function trim(block: Block, range: HashRange): Block {
  const { start, end } = indexRange(block, range);
  if (start === 0 && end === block.flags.length) return block;
  const slices = new BlockSlices(block);
  slices.sliceTo(start);
  return slices.sliceTo(end);
}

/** Copies the runs of a block between the hashes of a delta, and the delta's entries in their place. */
function cover(block: Block, delta: Block, keepsRemoved: boolean): Block {
  if (delta.flags.length === 0) return block;
  if (block.flags.length === 0 && keepsRemoved) return delta;
  const out = new Joined(block, delta);
  const under = new Run(block);
  const over = new Run(delta);
  for (let index = 0; index < delta.flags.length; index += 1) {
    const offset = index * hashBytes;
    const place = nextPlace(block, delta.hashes, { offset, from: under.end });
    if (place > under.end) {
      over.copyTo(out);
      under.end = place;
      under.copyTo(out);
    }
    if (place < block.flags.length && compareHashes(block.hashes, place * hashBytes, delta.hashes, offset) === 0)
      under.skip();
    if (keepsRemoved || !isRemoved(delta.flags[index] ?? 0)) over.end += 1;
    else {
      over.copyTo(out);
      over.skip();
    }
  }
  over.copyTo(out);
  under.end = block.flags.length;
  under.copyTo(out);
  return out.end(coveredAddresses(block, delta));
}

/** Returns the index of the first hash of a block, from `from` on, that is not below another; it is near, or far. */
function nextPlace(block: Block, bytes: Uint8Array, { offset, from }: { offset: number; from: number }): number {
  for (let place = from; place < from + 4; place += 1)
    if (place >= block.flags.length || compareHashes(block.hashes, place * hashBytes, bytes, offset) >= 0) return place;
  return lowerBound(block, bytes, offset, from + 4);
}

/** Consecutive hashes of a block, up to `end`, that are copied together. */
class Run {
  end = 0;
  private start = 0;
  private canonicalOffset = 0;
  private readonly block: Block;

  constructor(block: Block) {
    this.block = block;
  }

  copyTo(out: Joined): void {
    const { block, start, end, canonicalOffset } = this;
    if (end === start) return;
    this.start = end;
    this.canonicalOffset += countVariants(block, start, end) * hashBytes;
    out.put(block, { start, end, canonicalOffset, canonicalEnd: this.canonicalOffset });
  }

  /** Leaves out the hash at the end; those before it have been copied. */
  skip(): void {
    this.canonicalOffset += countVariants(this.block, this.end, this.end + 1) * hashBytes;
    this.end += 1;
    this.start = this.end;
  }
}

/** The block's addresses, except those of hashes that the delta has, whose address is the delta's or none. */
function coveredAddresses(block: Block, delta: Block): Addresses | undefined {
  if (!block.addresses && !delta.addresses) return undefined;
  const addresses = new Map(ownAddresses(block));
  for (let index = 0; index < delta.flags.length; index += 1) addresses.delete(hashAt(delta.hashes, index * hashBytes));
  for (const [hash, address] of ownAddresses(delta)) addresses.set(hash, address);
  return addresses;
}

/** The addresses of a block's hashes; slices of a block have the addresses of all of it. */
function* ownAddresses({ hashes, flags, addresses }: Block): Generator<[string, string]> {
  if (!addresses) return;
  for (let index = 0; index < flags.length; index += 1) {
    const hash = hashAt(hashes, index * hashBytes);
    const address = addresses.get(hash);
    if (address !== undefined) yield [hash, address];
  }
}

/** The hashes from `start` to `end` of a block, and the bytes of the canonical hashes of their variants. */
type Range = { start: number; end: number; canonicalOffset: number; canonicalEnd: number };

/** Collects the hashes of two blocks in memory for both. */
class Joined {
  private length = 0;
  private canonicalLength = 0;
  private readonly hashes: Buffer;
  private readonly flags: Uint8Array;
  private readonly canonicalHashes: Uint8Array;

  constructor(one: Block, other: Block) {
    const count = one.flags.length + other.flags.length;
    this.hashes = Buffer.allocUnsafeSlow(count * hashBytes);
    this.flags = new Uint8Array(count);
    this.canonicalHashes = new Uint8Array(one.canonicalHashes.length + other.canonicalHashes.length);
  }

  put({ hashes, flags, canonicalHashes }: Block, { start, end, canonicalOffset, canonicalEnd }: Range): void {
    this.hashes.set(hashes.subarray(start * hashBytes, end * hashBytes), this.length * hashBytes);
    this.flags.set(flags.subarray(start, end), this.length);
    this.length += end - start;
    if (canonicalEnd === canonicalOffset) return;
    this.canonicalHashes.set(canonicalHashes.subarray(canonicalOffset, canonicalEnd), this.canonicalLength);
    this.canonicalLength += canonicalEnd - canonicalOffset;
  }

  end(addresses: Addresses | undefined): Block {
    return {
      hashes: this.hashes.subarray(0, this.length * hashBytes),
      flags: this.flags.subarray(0, this.length),
      canonicalHashes: this.canonicalHashes.subarray(0, this.canonicalLength),
      addresses,
    };
  }
}
