import { randomUUID } from "node:crypto";
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { errorCode, StartupError } from "#app/startup-error.ts";

/**
 * Acquires a lock file that contains its holder's process id. A lock is stale when its holder has died (`kill -9`) or
 * its process id belongs to another process. Returns the release function, or the process that holds the lock.
 */
export function acquireFileLock(path: string): (() => void) | { heldBy: number } {
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) ?? null });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // Linking fails when the file exists, so only one of several concurrent processes succeeds, and nobody reads
    // a partial file.
    if (!link(draft, path)) {
      const heldBy = holder(path) ?? removeStale(path);
      if (heldBy !== undefined) return { heldBy };
      if (!link(draft, path)) return { heldBy: holder(path) ?? 0 };
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true });
  };
}

/**
 * Allows one server process per DATA_DIR, also among containers that share it: these do not see each other's processes,
 * and each may have the id 1, but the socket of a living one accepts connections. Returns the release function; throws
 * a StartupError while another server uses the directory.
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const path = join(dataDir, "server.lock");
  const close = await holdSocket(dataDir);
  const lock = close ? acquireFileLock(path) : { heldBy: holder(path) };
  if (close && typeof lock === "function")
    return () => {
      lock();
      close();
    };
  close?.();
  const where = typeof lock === "object" && lock.heldBy ? `process ${lock.heldBy}` : "in another container";
  throw new StartupError(`DATA_DIR: ${dataDir} is in use by another server (${where})`);
}

/**
 * Listens on a Unix socket in the folder for as long as this process lives. Returns the function that closes it;
 * undefined when another process listens there. Does nothing where the folder can have no socket.
 */
async function holdSocket(folder: string): Promise<(() => void) | undefined> {
  if (process.platform === "win32") return () => undefined;
  // A socket's path is limited to 107 bytes, so Linux reaches it by the folder's descriptor.
  const descriptor = process.platform === "linux" ? openSync(folder, "r") : undefined;
  const place = descriptor === undefined ? folder : `/proc/self/fd/${descriptor}`;
  const release = () => void (descriptor === undefined || closeSync(descriptor));
  const path = join(place, "server.sock");
  for (;;) {
    const server = await listen(path);
    if (server === "unsupported") return release;
    if (server !== "in_use")
      return () => {
        // The file is deleted as part of this.
        server.close();
        release();
      };
    const aside = join(place, `server.sock.${randomUUID()}`);
    if ((await responds(path)) || !(await moveStale(path, aside))) {
      release();
      return undefined;
    }
  }
}

/** Moves the socket of a dead process away. Returns false when a living one had replaced it: it is moved back. */
async function moveStale(path: string, aside: string): Promise<boolean> {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    return true;
  }
  const isHeld = await responds(aside);
  if (isHeld) link(aside, path);
  rmSync(aside, { force: true });
  return !isHeld;
}

function listen(path: string): Promise<Server | "in_use" | "unsupported"> {
  return new Promise((resolve) => {
    const server = createServer((connection) => connection.destroy());
    server.on("error", (error) => resolve(errorCode(error) === "EADDRINUSE" ? "in_use" : "unsupported"));
    server.listen(path, () => resolve(server));
    server.unref();
  });
}

/** Whether a process listens on the socket, even one that was stopped. */
function responds(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
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

/** Returns the running process that holds a lock. */
function holder(path: string): number | undefined {
  const owner = /^\{"pid":(\d+),"startedAt":"?(\w+)/.exec(read(path));
  const pid = Number(owner?.[1]);
  const lives = owner && pid !== process.pid && isProcessRunning(pid) && (processStart(pid) ?? "null") === owner[2];
  return lives ? pid : undefined;
}

/** Removes a stale lock. Returns the holder when another process acquired it first. */
function removeStale(path: string): number | undefined {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const quicker = holder(aside);
  if (quicker !== undefined) link(aside, path);
  rmSync(aside, { force: true });
  return quicker;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** False for a zombie too, which holds no locks. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false;
  }
  return processStat(pid)?.state !== "Z";
}

/** Returns when the process started, in clock ticks; undefined where /proc does not exist. */
function processStart(pid: number): string | undefined {
  return processStat(pid)?.startedAt;
}

function processStat(pid: number): { state: string | undefined; startedAt: string | undefined } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the command's name in parentheses, which may contain spaces; the 3rd is the state, the 22nd
  // the start time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat ? { state: fields[0], startedAt: fields[19] } : undefined;
}
