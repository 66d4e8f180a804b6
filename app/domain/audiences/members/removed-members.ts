import { BlockCursor, hashBytes } from "./block.ts";
import type { Blocks } from "./merge-members.ts";
import { kindOf, kinds } from "./tag.ts";

/**
 * What is to go: the hashes sent, and whoever one of them is another spelling of, with all of that person's spellings.
 * So it does not matter by which destination's rule a hash was made.
 */
export class RemovedMembers {
  private readonly hashes: Set<string>;

  /** Exactly these hashes, 32 bytes in a `latin1` string each, and the spellings of those among them. */
  constructor(hashes: Set<string> = new Set()) {
    this.hashes = hashes;
  }

  static async gather(sent: Blocks, base: Blocks): Promise<RemovedMembers> {
    const removed = new RemovedMembers();
    for await (const block of sent) {
      for (const cursor = new BlockCursor(block); !cursor.done; cursor.next())
        removed.hashes.add(hashAt(block.hashes, cursor.offset));
    }
    const own = new Set<string>();
    for await (const block of base) {
      if (block.spellings.length === 0) continue;
      for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
        if (kindOf(cursor.tag) === kinds.spelling && removed.hashes.has(hashAt(block.hashes, cursor.offset))) {
          own.add(hashAt(block.spellings, cursor.spellingOffset));
        }
      }
    }
    for (const hash of own) removed.hashes.add(hash);
    return removed;
  }

  has(cursor: BlockCursor): boolean {
    const { block } = cursor;
    if (this.hashes.has(hashAt(block.hashes, cursor.offset))) return true;
    return kindOf(cursor.tag) === kinds.spelling && this.hashes.has(hashAt(block.spellings, cursor.spellingOffset));
  }
}

export function hashAt(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, hashBytes).toString("latin1");
}
