import { type Block, BlockCursor, compareHashes } from "./block.ts";
import { countOf } from "./tag.ts";

/** How many counted hashes several ascending streams of blocks have together, each counted once. */
export async function countDistinct(streams: readonly AsyncIterable<Block>[]): Promise<number> {
  const readers = streams.map((stream) => stream[Symbol.asyncIterator]());
  const cursors: { cursor: BlockCursor; reader: AsyncIterator<Block> }[] = [];
  for (const reader of readers) {
    const cursor = await nextCursor(reader);
    if (cursor) cursors.push({ cursor, reader });
  }
  let people = 0;
  while (cursors.length > 0) {
    let least = cursors[0]?.cursor;
    for (const { cursor } of cursors) if (least && cursor !== least && compare(cursor, least) < 0) least = cursor;
    if (!least) break;
    const { block, offset } = least;
    let counted: 0 | 1 = 0;
    let ended = false;
    for (const { cursor } of cursors) {
      if (cursor !== least && compareHashes(cursor.block.hashes, cursor.offset, block.hashes, offset) !== 0) continue;
      counted ||= countOf(cursor.tag);
      cursor.next();
      ended ||= cursor.done;
    }
    people += counted;
    if (!ended) continue;
    for (let index = cursors.length - 1; index >= 0; index -= 1) {
      const one = cursors[index];
      if (!one?.cursor.done) continue;
      const next = await nextCursor(one.reader);
      if (next) one.cursor = next;
      else cursors.splice(index, 1);
    }
  }
  return people;
}

function compare(a: BlockCursor, b: BlockCursor): number {
  return compareHashes(a.block.hashes, a.offset, b.block.hashes, b.offset);
}

async function nextCursor(reader: AsyncIterator<Block>): Promise<BlockCursor | undefined> {
  const { value, done } = await reader.next();
  return done ? undefined : new BlockCursor(value);
}
