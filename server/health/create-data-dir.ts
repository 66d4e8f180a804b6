import { mkdirSync } from "node:fs";

/**
 * Creates the folder of `DATA_DIR` where it is missing: with an external database and a bucket nothing else writes to
 * it at the start. If it cannot be created, `/readyz` says that it cannot be written to.
 */
export function createDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    // See above.
  }
}
