import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, StartError } from "#app/start-error.ts";

/**
 * One server process per DATA_DIR. The lock is a file that names its holder; when the holder is dead (`kill -9`), or its
 * number went to another process, it counts no longer. Returns the release.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, "server.lock");
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // A link fails when the file exists: of several at once one wins, and nobody reads a half-written lock.
    if (!link(draft, path)) {
      removeStale(dataDir, path);
      if (!link(draft, path)) throw inUse(dataDir);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true });
  };
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function removeStale(dataDir: string, path: string): void {
  const found = read(path);
  const holder = /^\{"pid":(\d+),"startedAt":"?(\w+)/.exec(found);
  const pid = Number(holder?.[1]);
  if (holder && pid !== process.pid && isRunning(pid) && (processStart(pid) ?? "null") === holder[2]) {
    throw inUse(dataDir, pid);
  }
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  // Somebody else may have removed the stale one first, and locked: then give theirs back.
  if (read(aside) !== found) link(aside, path);
  rmSync(aside, { force: true });
}

function inUse(dataDir: string, pid?: number): StartError {
  return new StartError(`DATA_DIR: ${dataDir} is in use by another server${pid ? ` (process ${pid})` : ""}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** False for a zombie too: it holds nothing any more. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false;
  }
  return processStat(pid)?.state !== "Z";
}

/** When the process started, in the kernel's ticks; undefined where /proc does not exist. */
function processStart(pid: number): string | undefined {
  return processStat(pid)?.startedAt;
}

function processStat(pid: number): { state: string | undefined; startedAt: string | undefined } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, which may hold spaces; the 3rd is the state, the 22nd the start.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat ? { state: fields[0], startedAt: fields[19] } : undefined;
}
