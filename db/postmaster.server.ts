import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isProcessRunning } from "./data-dir-lock.server.ts";
import { askForTls } from "./ssl-request.ts";

export type Postmaster = { pid: number; port: number; status: string };

/** Reads what a running PostgreSQL reports in its data folder: process id, port, and whether it accepts connections. */
export function readPostmaster(folder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? "").trim() };
  } catch {
    return undefined;
  }
}

/**
 * Returns the running postmaster of `folder`. A killed one leaves its file behind, and its process id may be reused.
 */
export function livingPostmaster(folder: string): Postmaster | undefined {
  const running = readPostmaster(folder);
  return running && isProcessRunning(running.pid) && worksIn(running.pid, folder) ? running : undefined;
}

/** PostgreSQL's working directory is its data folder. Returns true where the system does not report it. */
function worksIn(pid: number, folder: string): boolean {
  if (process.platform !== "linux") return true;
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return its.ino === ours.ino && its.dev === ours.dev;
  } catch {
    return false;
  }
}

/** Resolves to whether a new connection gets a response, which comes from a process forked by the postmaster. */
export async function acceptsConnections(port: number, timeoutMs: number): Promise<boolean> {
  return (await askForTls({ host: "127.0.0.1", port, timeoutMs })) !== undefined;
}

/** Continues the postmaster and its processes that were stopped (SIGSTOP). Returns their number. */
export function continueStopped(postmasterPid: number): number {
  const stopped = [postmasterPid, ...childrenOf(postmasterPid)].filter((pid) => stateOf(pid) === "T");
  for (const pid of stopped) signal(pid, "SIGCONT");
  return stopped.length;
}

/** Does nothing when the process is not stopped. */
export function continuePostmaster(pid: number): void {
  signal(pid, "SIGCONT");
}

/**
 * Kills all PostgreSQL processes of `folder` at once, as a crash would. Sessions outlive a killed postmaster while
 * their statement runs, and a new postmaster does not start before they have ended.
 */
export function killDatabaseProcesses(folder: string): void {
  const postmaster = livingPostmaster(folder);
  if (postmaster) signal(postmaster.pid, "SIGKILL");
  for (const pid of processes()) {
    if (nameOf(pid) === "postgres" && worksIn(pid, folder)) signal(pid, "SIGKILL");
  }
}

/** Returns whether a process in `folder` has an argument with that text; false where the system does not report it. */
export function hasProcess(folder: string, { argument }: { argument: string }): boolean {
  return processes().some((pid) => worksIn(pid, folder) && read(`/proc/${pid}/cmdline`).includes(argument));
}

/**
 * Removes a killed postmaster's files, that of its process and those of its sockets: its process id may belong to
 * another process, and PostgreSQL would not start.
 */
export function removeStalePidFile(folder: string): void {
  if (livingPostmaster(folder)) return;
  const stale = readdirSync(folder).filter((name) => name === "postmaster.pid" || name.startsWith(".s.PGSQL."));
  for (const name of stale) rmSync(join(folder, name), { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile.
  }
}

/** Empty where the system does not report child processes. */
function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

function processes(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function stateOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2)[0];
}

function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
