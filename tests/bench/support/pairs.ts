/** Two ways to do the same work, measured in turn: only the ratio inside one round counts on a shared machine. */
export type Pair = { ours: () => Promise<number>; theirs: () => Promise<number>; before?: () => Promise<void> };

export type Row = { row: string; work: string; reached: string; goal: string };

export const rounds = 5;

/** The median over the rounds of ours ÷ theirs, in whatever both return (seconds, requests a second). */
export async function medianRatio({ ours, theirs, before }: Pair): Promise<number> {
  await ours();
  await theirs();
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await before?.();
    const first = round % 2 === 0 ? await ours() : await theirs();
    const second = round % 2 === 0 ? await theirs() : await ours();
    ratios.push(round % 2 === 0 ? first / second : second / first);
  }
  return median(ratios);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the duration of the work in seconds. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - begin) / 1e9;
}

/** `0.45×` */
export function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 0.1 ? 3 : 2)}×`;
}
