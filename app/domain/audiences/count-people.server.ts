import { randomInt } from "node:crypto";
import type { Database } from "#db/client.server.ts";
import { roundedSize } from "./audience.ts";
import { type Generation, readBlocks } from "./members/audience-blocks.server.ts";
import { type Block, hashBytes } from "./members/block.ts";
import { countDistinct } from "./members/count-distinct.ts";
import { boundsOf, type HashRange, rangeOf, within } from "./members/sample.ts";
import { countOf } from "./members/tag.ts";

type Counted = Generation & { size: number };

/** People of the largest audience that are looked at first. */
const first = 20_000;
/** A larger share is not worth looking at before all. */
const mostShare = 1 / 4;

/**
 * How many people audiences have together, each counted once, as `roundedSize` shows it: of many people a part is looked at,
 * a larger one when it does not tell the step, and all of them when none does (decision 21). `onBlock` may throw.
 */
export async function countPeopleInSteps(
  db: Database,
  { audiences, onBlock }: { audiences: readonly Counted[]; onBlock: () => void },
): Promise<number> {
  const sizes = audiences.map(({ size }) => size);
  const [largest, all] = [Math.max(...sizes), sizes.reduce((sum, size) => sum + size, 0)];
  for (let share = first / largest; share <= mostShare; share *= 4) {
    const range = rangeOf(share, randomInt(2 ** 32) / 2 ** 32);
    const samples = audiences.map((audience) => new Sample(db, { audience, range, onBlock }));
    const seen = await countDistinct(samples.map((sample) => sample.blocks()));
    // Hashes that somebody made up need not lie as if by lot.
    if (!samples.every((sample) => sample.isFair(share))) break;
    const { least, most } = boundsOf(seen, share);
    const steps = [Math.max(least, largest), Math.min(most, all)].map(roundedSize);
    if (steps[0] === steps[1]) return steps[0] ?? 0;
  }
  return roundedSize(await countDistinct(audiences.map((audience) => each(readBlocks(db, audience), onBlock))));
}

async function* each<T>(items: AsyncIterable<T>, onItem: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    onItem();
    yield item;
  }
}

/** The part of an audience whose hashes are in a range. */
class Sample {
  private people = 0;
  private readonly db: Database;
  private readonly taken: { audience: Counted; range: HashRange; onBlock: () => void };

  constructor(db: Database, taken: Sample["taken"]) {
    this.db = db;
    this.taken = taken;
  }

  async *blocks(): AsyncGenerator<Block> {
    const { audience, range, onBlock } = this.taken;
    for await (const block of each(readBlocks(this.db, audience, range), onBlock)) {
      const { start, end } = within(block, range);
      const tags = block.tags.subarray(start, end);
      for (const tag of tags) this.people += countOf(tag);
      // Spellings are not counted, and left where they are.
      yield { hashes: block.hashes.subarray(start * hashBytes, end * hashBytes), tags, spellings: block.spellings };
    }
  }

  /** Once all was read: it holds about as many people as a part of that size should. */
  isFair(share: number): boolean {
    const { least, most } = boundsOf(this.people, share);
    return least <= this.taken.audience.size && this.taken.audience.size <= most;
  }
}
