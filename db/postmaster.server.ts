import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { isRunning } from "./data-dir-lock.server.ts";

export type Postmaster = { pid: number; port: number; status: string };

/** What a running PostgreSQL says of itself in its data folder: process, port, and whether it takes connections. */
export function readPostmaster(folder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? "").trim() };
  } catch {
    return undefined;
  }
}

/** The postmaster that lives in `folder`. The file of one that was killed stays there, and its number may be another's. */
export function livingPostmaster(folder: string): Postmaster | undefined {
  const found = readPostmaster(folder);
  return found && isRunning(found.pid) && worksIn(found.pid, folder) ? found : undefined;
}

/** PostgreSQL's working directory is its data folder. True where the system does not say. */
function worksIn(pid: number, folder: string): boolean {
  if (process.platform !== "linux") return true;
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return its.ino === ours.ino && its.dev === ours.dev;
  } catch {
    return false;
  }
}

/** Resolves to whether a new connection gets an answer, which a process that the postmaster forks for it gives. */
export function acceptsConnections(port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: timeoutMs });
    const timer = setTimeout(() => settle(false), timeoutMs);
    function settle(answered: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    }
    socket.on("connect", () => socket.write(sslRequest));
    socket.on("data", () => settle(true));
    socket.on("error", () => settle(false));
    socket.on("close", () => settle(false));
  });
}

/** The protocol's SSLRequest: its length and its code. It is answered by one byte, before any sign-in, also in recovery. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Lets the postmaster and its processes run on where one was stopped (SIGSTOP). Returns how many were. */
export function continueStopped(postmasterPid: number): number {
  const stopped = [postmasterPid, ...childrenOf(postmasterPid)].filter((pid) => stateOf(pid) === "T");
  for (const pid of stopped) signal(pid, "SIGCONT");
  return stopped.length;
}

/** Does nothing to one that was not stopped. */
export function continuePostmaster(pid: number): void {
  signal(pid, "SIGCONT");
}

/**
 * Ends whatever PostgreSQL still runs in `folder`, at once, as a crash does. Sessions outlive a killed postmaster while
 * their statement runs, and a new one does not start before they are gone.
 */
export function killDatabaseProcesses(folder: string): void {
  const postmaster = livingPostmaster(folder);
  if (postmaster) signal(postmaster.pid, "SIGKILL");
  for (const pid of processes()) {
    if (nameOf(pid) === "postgres" && worksIn(pid, folder)) signal(pid, "SIGKILL");
  }
}

/** Removes what a killed postmaster left: its number may be a zombie's or another's by now, and PostgreSQL would refuse to start. */
export function removeStalePidFile(folder: string): void {
  if (!livingPostmaster(folder)) rmSync(join(folder, "postmaster.pid"), { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}

/** Empty where the system does not say. */
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
