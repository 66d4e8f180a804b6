import { type Block, type BlockCursor, hashBytes } from "./block.ts";
import { kindOf, kinds } from "./tag.ts";

/** Gathers hashes that come in ascending order into blocks of `perBlock`. */
export class BlockWriter {
  private hashes: Buffer;
  private tags: Uint8Array;
  private spellings: Uint8Array[] = [];
  private length = 0;
  private readonly full: Block[] = [];
  private readonly perBlock: number;

  constructor(perBlock: number) {
    this.perBlock = perBlock;
    this.hashes = Buffer.allocUnsafeSlow(perBlock * hashBytes);
    this.tags = new Uint8Array(perBlock);
  }

  /** The hash at the cursor, as `tag`; `own` says whose hash it is another spelling of. */
  put(cursor: BlockCursor, tag: number, own: BlockCursor = cursor): void {
    const { hashes } = cursor.block;
    for (let index = 0; index < hashBytes; index += 1) {
      this.hashes[this.length * hashBytes + index] = hashes[cursor.offset + index] ?? 0;
    }
    this.tags[this.length] = tag;
    this.length += 1;
    if (kindOf(tag) === kinds.spelling) {
      this.spellings.push(own.block.spellings.slice(own.spellingOffset, own.spellingOffset + hashBytes));
    }
    if (this.length === this.perBlock) this.cut();
  }

  /** Everybody of a block. A large one is cut in equal parts, which stay in the memory where they are. */
  putAll(block: Block): void {
    const { hashes, tags, spellings } = block;
    if (this.length + tags.length <= this.perBlock) {
      this.copy(block);
      return;
    }
    if (this.length > 0) this.cut();
    const parts = Math.ceil(tags.length / this.perBlock);
    for (let part = 0, from = 0, spelling = 0; part < parts; part += 1) {
      const to = Math.ceil(((part + 1) * tags.length) / parts);
      const partTags = tags.subarray(from, to);
      const after = spelling + countSpellings(partTags) * hashBytes;
      this.full.push({
        hashes: hashes.subarray(from * hashBytes, to * hashBytes),
        tags: partTags,
        spellings: spellings.subarray(spelling, after),
      });
      from = to;
      spelling = after;
    }
  }

  /** The blocks that are full; with `last`, also the one begun. */
  take(last = false): Block[] {
    if (last && this.length > 0) this.cut();
    return this.full.splice(0);
  }

  private copy({ hashes, tags, spellings }: Block): void {
    this.hashes.set(hashes, this.length * hashBytes);
    this.tags.set(tags, this.length);
    if (spellings.length > 0) this.spellings.push(spellings);
    this.length += tags.length;
    if (this.length === this.perBlock) this.cut();
  }

  private cut(): void {
    this.full.push({
      hashes: this.hashes.subarray(0, this.length * hashBytes),
      tags: this.tags.subarray(0, this.length),
      spellings: Buffer.concat(this.spellings),
    });
    this.hashes = Buffer.allocUnsafeSlow(this.perBlock * hashBytes);
    this.tags = new Uint8Array(this.perBlock);
    this.spellings = [];
    this.length = 0;
  }
}

function countSpellings(tags: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < tags.length; index += 1) if (kindOf(tags[index] ?? 0) === kinds.spelling) count += 1;
  return count;
}
