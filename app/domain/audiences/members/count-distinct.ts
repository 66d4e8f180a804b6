import { randomInt } from "node:crypto";
import { type Block, compareHashes, hashBytes } from "./block.ts";
import { countOf } from "./tag.ts";

/** A hash as eight numbers. */
const words = hashBytes / 4;

/** How many counted hashes several ascending streams of blocks have together, each counted once. */
export async function countDistinct(streams: readonly AsyncIterable<Block>[]): Promise<number> {
  const parts: Part[] = [];
  await Promise.all(
    streams.map(async (stream) => {
      const part = new Part(stream[Symbol.asyncIterator]());
      if (await part.refill()) parts.push(part);
    }),
  );
  const seen = new SeenHashes();
  let people = 0;
  while (parts.length > 0) {
    // What is not beyond the block that ends first cannot come again later.
    let first = parts[0];
    for (const part of parts) if (first && part.isLastBelow(first)) first = part;
    if (!first) break;
    const { block, last } = first;
    seen.begin(parts.reduce((sum, part) => sum + part.findEnd(block.hashes, last), 0));
    for (const part of parts) people += seen.countNew(part);
    for (let index = parts.length - 1; index >= 0; index -= 1) {
      const part = parts[index];
      if (part?.done && !(await part.refill())) parts.splice(index, 1);
    }
  }
  return people;
}

/** The block of a stream that is worked on; its hashes from `from` to `to` are next. */
class Part {
  block: Block = { hashes: new Uint8Array(0), tags: new Uint8Array(0), spellings: new Uint8Array(0) };
  /** The hashes as numbers, in memory that is used again. */
  numbers = new Uint32Array(0);
  from = 0;
  to = 0;
  private readonly blocks: AsyncIterator<Block>;

  constructor(blocks: AsyncIterator<Block>) {
    this.blocks = blocks;
  }

  get done(): boolean {
    return this.from >= this.block.tags.length;
  }

  /** Where its last hash stands. */
  get last(): number {
    return (this.block.tags.length - 1) * hashBytes;
  }

  isLastBelow(other: Part): boolean {
    return compareHashes(this.block.hashes, this.last, other.block.hashes, other.last) < 0;
  }

  /** The next block that is not empty; false at the end. */
  async refill(): Promise<boolean> {
    for (;;) {
      const { value, done } = await this.blocks.next();
      if (done) return false;
      if (value.tags.length === 0) continue;
      this.block = value;
      const { hashes } = this.block;
      if (this.numbers.byteLength < hashes.length) this.numbers = new Uint32Array(hashes.length / 4);
      new Uint8Array(this.numbers.buffer).set(hashes);
      this.from = 0;
      this.to = 0;
      return true;
    }
  }

  /** Finds how far the hashes go that are not above this one, and says how many those are. */
  findEnd(hashes: Uint8Array, offset: number): number {
    let [low, high] = [this.from, this.block.tags.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareHashes(this.block.hashes, middle * hashBytes, hashes, offset) <= 0) low = middle + 1;
      else high = middle;
    }
    this.to = low;
    return this.to - this.from;
  }
}

/**
 * Tells hashes that were there from new ones. Where it puts them goes by secret numbers: audiences can be made of hashes
 * that somebody chose so that they would all be put in one place.
 */
class SeenHashes {
  private readonly secrets = Int32Array.from({ length: 3 }, () => randomInt(2 ** 31) * 2 + 1);
  /** For each place the number of a hash, counted from 1; 0 is nobody. */
  private places = new Int32Array(1_024);
  private kept = new Uint32Array(0);
  private count = 0;
  private shift = 22;

  /** Forgets everything; there will be `most` hashes at most. */
  begin(most: number): void {
    const bits = Math.max(4, 33 - Math.clz32(most));
    this.shift = 32 - bits;
    if (this.places.length < 2 ** bits) this.places = new Int32Array(2 ** bits);
    else this.places.fill(0, 0, 2 ** bits);
    if (this.kept.length < most * words) this.kept = new Uint32Array(2 * most * words);
    this.count = 0;
  }

  /** How many of the part's hashes that count were not there; they are now, and the part is behind them. */
  countNew(part: Part): number {
    const { numbers, from, to } = part;
    const { tags } = part.block;
    const before = this.count;
    for (let index = from; index < to; index += 1) if (countOf(tags[index] ?? 0)) this.add(numbers, index * words);
    part.from = to;
    return this.count - before;
  }

  private add(numbers: Uint32Array, at: number): void {
    const { places, kept, secrets, shift } = this;
    const mask = 2 ** (32 - shift) - 1;
    let mixed = Math.imul(numbers[at + 1] ?? 0, secrets[0] ?? 1);
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ (numbers[at + 2] ?? 0), secrets[1] ?? 1);
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ (numbers[at + 3] ?? 0), secrets[2] ?? 1);
    mixed ^= mixed >>> 15;
    for (let place = mixed >>> shift; ; place = (place + 1) & mask) {
      const one = places[place] ?? 0;
      if (one === 0) {
        places[place] = this.count + 1;
        const to = this.count * words;
        for (let index = 0; index < words; index += 1) kept[to + index] = numbers[at + index] ?? 0;
        this.count += 1;
        return;
      }
      if (isSame(kept, (one - 1) * words, numbers, at)) return;
    }
  }
}

function isSame(some: Uint32Array, at: number, others: Uint32Array, otherAt: number): boolean {
  for (let index = words - 1; index >= 0; index -= 1) if (some[at + index] !== others[otherAt + index]) return false;
  return true;
}
