const longestPauseMs = 10_000;
/** A process that was ready for this long, in milliseconds, did not fail at startup: pauses start over. */
const steadyMs = 5_000;

export type RestartPauses = {
  /**
   * The pause before the next start of a process that was ready for so long: none, then 250 ms, then twice as long each
   * time.
   */
  afterMs: (readyForMs: number) => number;
};

export function restartPauses(): RestartPauses {
  let failures = 0;
  return {
    afterMs(readyForMs) {
      failures = readyForMs >= steadyMs ? 1 : failures + 1;
      return failures === 1 ? 0 : Math.min(250 * 2 ** (failures - 2), longestPauseMs);
    },
  };
}
