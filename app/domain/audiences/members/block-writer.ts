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

  /** The blocks that are full; with `last`, also the one begun. */
  take(last = false): Block[] {
    if (last && this.length > 0) this.cut();
    return this.full.splice(0);
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
