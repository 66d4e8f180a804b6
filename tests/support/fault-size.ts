/** Whether this is the run in full size. */
export const isFull = process.env.FAULTS === "full";

/** How often a test of faults repeats: a small number in `npm test`, the whole one with `npm run test:faults`. */
export function faultSize({ small, all }: { small: number; all: number }): number {
  return isFull ? all : small;
}

/** The time such a test may take, in milliseconds. */
export const faultTimeout = isFull ? 900_000 : 120_000;
