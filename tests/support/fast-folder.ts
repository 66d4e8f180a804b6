import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const needed = 4 * 1024 ** 3;

/**
 * Creates a folder for a test cluster: in memory if the system has room, since each test file's database is a thousand
 * small files; otherwise on disk.
 */
export function makeFastFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? memory : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= needed;
  } catch {
    return false;
  }
}
