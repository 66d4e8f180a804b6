import { type Block, BlockCursor, type Blocks, compareHashes } from "./block.ts";
import { BlockBuilder, hashesPerBlock } from "./block-builder.ts";
import { removedFlags } from "./deltas.ts";
import { identifierKinds, kindFromFlags, mergeFlags, personCount } from "./identifier-flags.ts";
import type { RemovalSet } from "./removal-set.ts";

/** People before and after the merge, and how many counted hashes were added and removed. */
export type MergeCounts = { before: number; size: number; added: number; removed: number; changed: boolean };

type Merge = {
  /** Removes the existing members first. */
  replace?: boolean;
  /** The existing blocks, ascending. */
  base: Blocks;
  /** The uploaded blocks, ascending. */
  uploaded: Blocks;
  /** The hashes to remove. */
  removed?: RemovalSet;
  /** The number of hashes per block. */
  perBlock?: number | undefined;
  /** Writes a delta: only the hashes that are new, changed or removed. */
  changesOnly?: boolean;
  /** Receives the audience's new blocks, or those of the delta, ascending. */
  write: (blocks: Block[]) => Promise<void>;
};

/**
 * Merges the existing blocks and the uploaded ones into new blocks, in one pass over both in ascending order of the
 * hashes. The newest address of a person counts.
 */
export async function mergeMembers(merge: Merge): Promise<MergeCounts> {
  const { replace = false, base, uploaded, removed, perBlock = hashesPerBlock, changesOnly = false, write } = merge;
  const counts: MergeCounts = { before: 0, size: 0, added: 0, removed: 0, changed: false };
  const writer = new BlockBuilder(perBlock);
  const existing = await Reader.open(base);
  const incoming = await Reader.open(uploaded);

  const emit = (cursor: BlockCursor, tag: number, was: number, own?: BlockCursor, address = cursor.address) => {
    writer.put(cursor, tag, own, address);
    const countAfter = personCount(tag);
    counts.size += countAfter;
    if (countAfter > was) counts.added += 1;
    else if (countAfter < was) counts.removed += 1;
  };
  const keep = (cursor: BlockCursor, was: number) => {
    if (changesOnly) counts.size += was;
    else emit(cursor, cursor.tag, was);
  };
  const emitAll = (block: Block, was: 0 | 1) => {
    if (was === 0 || !changesOnly) writer.putAll(block);
    let people = 0;
    for (let index = 0; index < block.flags.length; index += 1) people += personCount(block.flags[index] ?? 0);
    counts.size += people;
    if (was === 1) counts.before += people;
    else counts.added += people;
  };
  const drop = (cursor: BlockCursor, was: number) => {
    if (changesOnly) writer.put(cursor, removedFlags);
    counts.removed += was;
    counts.changed = true;
  };

  try {
    while (existing.cursor || incoming.cursor) {
      // Runs without awaiting until one of the two streams needs its next block.
      while (existing.cursor || incoming.cursor) {
        if (!existing.cursor && incoming.cursor) {
          emitAll(incoming.cursor.drainRest(), 0);
          counts.changed = true;
          break;
        }
        if (!incoming.cursor && existing.cursor && !replace && !removed) {
          emitAll(existing.cursor.drainRest(), 1);
          break;
        }
        const order = compareCursors(existing.cursor, incoming.cursor);
        const countBefore = order <= 0 && existing.cursor ? personCount(existing.cursor.tag) : 0;
        counts.before += countBefore;
        if (order < 0 && existing.cursor) {
          if (replace || removed?.has(existing.cursor)) drop(existing.cursor, countBefore);
          else keep(existing.cursor, countBefore);
        } else if (order > 0 && incoming.cursor) {
          emit(incoming.cursor, incoming.cursor.tag, 0);
          counts.changed = true;
        } else if (existing.cursor && incoming.cursor) {
          const tag = replace ? incoming.cursor.tag : mergeFlags(existing.cursor.tag, incoming.cursor.tag);
          const addressBefore = existing.cursor.address;
          const address = incoming.cursor.address ?? (replace ? undefined : addressBefore);
          const isChanged = tag !== existing.cursor.tag || address !== addressBefore;
          const isVariant = kindFromFlags(incoming.cursor.tag) === identifierKinds.variant;
          if (isChanged) counts.changed = true;
          if (isChanged || !changesOnly)
            emit(incoming.cursor, tag, countBefore, isVariant ? incoming.cursor : existing.cursor, address);
          else keep(existing.cursor, countBefore);
        }
        if (order <= 0) existing.cursor?.next();
        if (order >= 0) incoming.cursor?.next();
        if (existing.cursor?.done || incoming.cursor?.done) break;
      }
      if (existing.cursor?.done) await existing.refill();
      if (incoming.cursor?.done) await incoming.refill();
      const full = writer.drain();
      if (full.length > 0) await write(full);
    }
    const rest = writer.drain(true);
    if (rest.length > 0) await write(rest);
    return counts;
  } finally {
    await existing.close();
    await incoming.close();
  }
}

/** Returns which hash comes next: below 0 the existing one, above 0 the uploaded one, 0 both. */
function compareCursors(old: BlockCursor | undefined, fresh: BlockCursor | undefined): number {
  if (!old) return 1;
  if (!fresh) return -1;
  return compareHashes(old.block.hashes, old.offset, fresh.block.hashes, fresh.offset);
}

/** Reads a stream of blocks with one cursor, which is undefined at the end. */
class Reader {
  cursor: BlockCursor | undefined;
  private readonly blocks: AsyncIterator<Block> | Iterator<Block>;

  private constructor(blocks: Blocks) {
    this.blocks = Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
  }

  /** Ends the stream, which may not have been read to its end. */
  async close(): Promise<void> {
    await this.blocks.return?.();
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
