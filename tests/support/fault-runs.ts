/** Whether this is the full-size run. */
export const isFullFaultRun = process.env.FAULTS === "full";

/** Returns how often a fault test repeats: a small number in `npm test`, the full one with `npm run test:faults`. */
export function faultRuns({ small, all }: { small: number; all: number }): number {
  return isFullFaultRun ? all : small;
}

/** The timeout of such a test, in milliseconds. */
export const faultTimeoutMs = isFullFaultRun ? 900_000 : 120_000;
