import { BlockCursor, type Blocks, compareHashes, hashBytes } from "./block.ts";
import { kindOf, kinds } from "./tag.ts";

/**
 * What is to go: the hashes sent, and whoever one of them is another spelling of, with all of that person's spellings.
 * So it does not matter by which destination's rule a hash was made.
 */
export class RemovedMembers {
  private readonly hashes: Set<string>;
  /** Millions, ascending, as they came: a set of them would take ten times the room, and ends at sixteen million. */
  private readonly sent: Uint8Array[] = [];

  /** Exactly these hashes, 32 bytes in a `latin1` string each, and the spellings of those among them. */
  constructor(hashes: Set<string> = new Set()) {
    this.hashes = hashes;
  }

  static async gather(sent: Blocks, base: Blocks): Promise<RemovedMembers> {
    const removed = new RemovedMembers();
    for await (const { hashes } of sent) if (hashes.length > 0) removed.sent.push(hashes);
    for await (const block of base) {
      if (block.spellings.length === 0) continue;
      for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
        if (kindOf(cursor.tag) !== kinds.spelling || !removed.wasSent(block.hashes, cursor.offset)) continue;
        if (removed.wasSent(block.spellings, cursor.spellingOffset)) continue;
        removed.hashes.add(hashAt(block.spellings, cursor.spellingOffset));
      }
    }
    return removed;
  }

  has(cursor: BlockCursor): boolean {
    const { block } = cursor;
    if (this.goes(block.hashes, cursor.offset)) return true;
    return kindOf(cursor.tag) === kinds.spelling && this.goes(block.spellings, cursor.spellingOffset);
  }

  private goes(bytes: Uint8Array, offset: number): boolean {
    if (this.wasSent(bytes, offset)) return true;
    return this.hashes.size > 0 && this.hashes.has(hashAt(bytes, offset));
  }

  private wasSent(bytes: Uint8Array, offset: number): boolean {
    const { sent } = this;
    // The last piece that does not begin above it, and there the hash itself.
    const piece =
      sent[countNotAbove(sent.length, (index) => compareHashes(sent[index] ?? bytes, 0, bytes, offset)) - 1];
    if (!piece) return false;
    const inPiece = (index: number) => compareHashes(piece, index * hashBytes, bytes, offset);
    return inPiece(countNotAbove(piece.length / hashBytes, inPiece) - 1) === 0;
  }
}

/** How many of `count` ascending things are at most 0 in `order`. */
function countNotAbove(count: number, order: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(middle) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function hashAt(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, hashBytes).toString("latin1");
}
