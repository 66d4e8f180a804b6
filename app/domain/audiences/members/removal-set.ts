import { BlockCursor, type Blocks, compareHashes, hashAt, hashBytes } from "./block.ts";
import { identifierKinds, kindFromFlags } from "./identifier-flags.ts";

/**
 * The hashes to remove: the uploaded ones, the canonical hash of each uploaded variant, and all variants of those. A
 * person is therefore removed whatever normalization the uploaded hash has.
 */
export class RemovalSet {
  private readonly hashes: Set<string>;
  /**
   * Millions of hashes, ascending, as they arrived: a Set would need ten times the memory and cannot hold more than
   * sixteen million.
   */
  private readonly sent: Uint8Array[] = [];

  /** Removes exactly these hashes, each 32 bytes in a `latin1` string, and their variants. */
  constructor(hashes: Set<string> = new Set()) {
    this.hashes = hashes;
  }

  static async collect(sent: Blocks, base: Blocks): Promise<RemovalSet> {
    const removed = new RemovalSet();
    for await (const { hashes } of sent) if (hashes.length > 0) removed.sent.push(hashes);
    for await (const block of base) {
      if (block.canonicalHashes.length === 0) continue;
      for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
        if (kindFromFlags(cursor.tag) !== identifierKinds.variant || !removed.isInUpload(block.hashes, cursor.offset))
          continue;
        if (removed.isInUpload(block.canonicalHashes, cursor.canonicalOffset)) continue;
        removed.hashes.add(hashAt(block.canonicalHashes, cursor.canonicalOffset));
      }
    }
    return removed;
  }

  has(cursor: BlockCursor): boolean {
    const { block } = cursor;
    if (this.isRemoved(block.hashes, cursor.offset)) return true;
    return (
      kindFromFlags(cursor.tag) === identifierKinds.variant &&
      this.isRemoved(block.canonicalHashes, cursor.canonicalOffset)
    );
  }

  private isRemoved(bytes: Uint8Array, offset: number): boolean {
    if (this.isInUpload(bytes, offset)) return true;
    return this.hashes.size > 0 && this.hashes.has(hashAt(bytes, offset));
  }

  private isInUpload(bytes: Uint8Array, offset: number): boolean {
    const { sent } = this;
    // The last chunk whose first hash is not larger; the hash is then searched in that chunk.
    const chunk =
      sent[countNotAbove(sent.length, (index) => compareHashes(sent[index] ?? bytes, 0, bytes, offset)) - 1];
    if (!chunk) return false;
    const orderInChunk = (index: number) => compareHashes(chunk, index * hashBytes, bytes, offset);
    return orderInChunk(countNotAbove(chunk.length / hashBytes, orderInChunk) - 1) === 0;
  }
}

/** Returns how many of `count` ascending items have an `order` of at most 0. */
function countNotAbove(count: number, order: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(middle) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
