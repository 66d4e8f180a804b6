import { type Block, BlockCursor, type Blocks, compareHashes } from "./block.ts";
import { BlockWriter } from "./block-writer.ts";
import type { RemovedMembers } from "./removed-members.ts";
import { countOf, kindOf, kinds, resolveTags } from "./tag.ts";

/** People counted before and after, and how many hashes that count came and went. */
export type MergeCounts = { before: number; size: number; came: number; went: number; changed: boolean };

type Merge = {
  /** What is there already goes first. */
  replace?: boolean;
  /** What is there already, ascending. */
  base: Blocks;
  /** What comes, ascending. */
  sent: Blocks;
  /** Who is to go. */
  removed?: RemovedMembers;
  /** Hashes in a block. */
  perBlock?: number | undefined;
  /** Gets the audience's new blocks, ascending. */
  write: (blocks: Block[]) => Promise<void>;
};

/** Makes an audience's new blocks of the old ones and of what was sent: one pass over both, in ascending order of the hashes. */
export async function mergeMembers(merge: Merge): Promise<MergeCounts> {
  const { replace = false, base, sent, removed, perBlock = 1_024, write } = merge;
  const counts: MergeCounts = { before: 0, size: 0, came: 0, went: 0, changed: false };
  const writer = new BlockWriter(perBlock);
  const old = await Reader.open(base);
  const fresh = await Reader.open(sent);

  const emit = (cursor: BlockCursor, tag: number, was: number, own?: BlockCursor) => {
    writer.put(cursor, tag, own);
    const is = countOf(tag);
    counts.size += is;
    if (is > was) counts.came += 1;
    else if (is < was) counts.went += 1;
  };
  const keepAll = (block: Block, was: 0 | 1) => {
    writer.putAll(block);
    let people = 0;
    for (let index = 0; index < block.tags.length; index += 1) people += countOf(block.tags[index] ?? 0);
    counts.size += people;
    if (was === 1) counts.before += people;
    else counts.came += people;
  };
  const drop = (was: number) => {
    counts.went += was;
    counts.changed = true;
  };

  while (old.cursor || fresh.cursor) {
    // Until one of the two needs its next block there is nothing to wait for.
    while (old.cursor || fresh.cursor) {
      if (!old.cursor && fresh.cursor) {
        keepAll(fresh.cursor.takeRest(), 0);
        counts.changed = true;
        break;
      }
      if (!fresh.cursor && old.cursor && !replace && !removed) {
        keepAll(old.cursor.takeRest(), 1);
        break;
      }
      const order = orderOf(old.cursor, fresh.cursor);
      const was = order <= 0 && old.cursor ? countOf(old.cursor.tag) : 0;
      counts.before += was;
      if (order < 0 && old.cursor) {
        if (replace || removed?.has(old.cursor)) drop(was);
        else emit(old.cursor, old.cursor.tag, was);
      } else if (order > 0 && fresh.cursor) {
        emit(fresh.cursor, fresh.cursor.tag, 0);
        counts.changed = true;
      } else if (old.cursor && fresh.cursor) {
        const tag = replace ? fresh.cursor.tag : resolveTags(old.cursor.tag, fresh.cursor.tag);
        emit(fresh.cursor, tag, was, kindOf(fresh.cursor.tag) === kinds.spelling ? fresh.cursor : old.cursor);
        if (tag !== old.cursor.tag) counts.changed = true;
      }
      if (order <= 0) old.cursor?.next();
      if (order >= 0) fresh.cursor?.next();
      if (old.cursor?.done || fresh.cursor?.done) break;
    }
    if (old.cursor?.done) await old.refill();
    if (fresh.cursor?.done) await fresh.refill();
    const full = writer.take();
    if (full.length > 0) await write(full);
  }
  const rest = writer.take(true);
  if (rest.length > 0) await write(rest);
  return counts;
}

/** Which comes next: below 0 the old one, above 0 the new one, 0 both. */
function orderOf(old: BlockCursor | undefined, fresh: BlockCursor | undefined): number {
  if (!old) return 1;
  if (!fresh) return -1;
  return compareHashes(old.block.hashes, old.offset, fresh.block.hashes, fresh.offset);
}

/** A stream of blocks as one cursor; undefined at the end. */
class Reader {
  cursor: BlockCursor | undefined;
  private readonly blocks: AsyncIterator<Block> | Iterator<Block>;

  private constructor(blocks: Blocks) {
    this.blocks = Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
  }

  static async open(blocks: Blocks): Promise<Reader> {
    const reader = new Reader(blocks);
    await reader.refill();
    return reader;
  }

  async refill(): Promise<void> {
    for (;;) {
      const next = await this.blocks.next();
      this.cursor = next.done ? undefined : new BlockCursor(next.value);
      if (!this.cursor?.done) return;
    }
  }
}
