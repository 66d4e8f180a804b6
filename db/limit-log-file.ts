import { copyFileSync, rmSync, statSync, truncateSync } from "node:fs";

type Limits = { maxBytes?: number; everyMs?: number };

/**
 * Keeps a log small that another process appends to, from now on until the returned function is called: what is in it
 * beyond `maxBytes` moves to a file with the ending `.1`, in place of the one before. PostgreSQL's own rotation by size
 * never removes a file. A line that is written during the move may be lost.
 */
export function limitLogFile(file: string, { maxBytes = 10_000_000, everyMs = 60_000 }: Limits = {}): () => void {
  const limit = () => {
    try {
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (size > maxBytes) moveContent(file, `${file}.1`);
    } catch {
      // Whoever runs the database goes on without; the next attempt follows.
    }
  };
  limit();
  const timer = setInterval(limit, everyMs).unref();
  return () => clearInterval(timer);
}

function moveContent(file: string, previous: string): void {
  try {
    copyFileSync(file, previous);
  } catch {
    // A full disk is a reason to keep neither.
    rmSync(previous, { force: true });
  }
  truncateSync(file);
}
