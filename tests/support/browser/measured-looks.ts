import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";

/**
 * The looks of texts whose contrast was measured and found good, each as a hash of 53 bits. The processes of a run
 * share the file of `E2E_LOOKS`, to which each appends; a process without that file knows only its own.
 */
const known = new Set<number>();
let charactersRead = 0;

/**
 * Returns the looks that no test of this run has to measure again: none in the full run, which measures each screen's.
 */
export function measuredLooks(): ReadonlySet<number> {
  if (isFullFaultRun) return new Set();
  const file = process.env.E2E_LOOKS;
  if (file && existsSync(file)) {
    const text = readFileSync(file, "latin1");
    // A line that another process is still writing is read the next time.
    const end = text.lastIndexOf("\n") + 1;
    for (const line of text.slice(charactersRead, end).split("\n")) if (line) known.add(Number(line));
    charactersRead = Math.max(charactersRead, end);
  }
  return known;
}

/** Records looks that were measured and are good. */
export function addMeasuredLooks(looks: readonly number[]): void {
  for (const look of looks) known.add(look);
  const file = process.env.E2E_LOOKS;
  if (file && looks.length > 0) appendFileSync(file, looks.map((look) => `${look}\n`).join(""));
}
