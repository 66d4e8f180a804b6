import type { Ctx } from "./context.ts";

/**
 * The number of rows that a statement deletes, so that nobody waits for it and it ends in time, however many there are.
 */
export const batchSize = 5_000;

/**
 * Repeats a statement that deletes or changes at most `batchSize` rows until fewer are left, or the process stops.
 * Returns the number of rows.
 */
export async function inBatches({ stopping }: Pick<Ctx, "stopping">, work: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await work();
    total += count;
    if (count < batchSize || stopping?.aborted) return total;
  }
}
