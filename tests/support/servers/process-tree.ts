import { type ChildProcess, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isProcessRunning } from "#db/data-dir-lock.server.ts";

type Process = { pid: number; parent: number; state: string; command: string };

/** Returns all processes of the machine, on Linux without running `ps`: a test process is large, and forks slowly. */
function processes(): Process[] {
  if (process.platform !== "linux") return listedProcesses();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
}

/** Returns nothing for a process that ended meanwhile. */
function readProcess(pid: string): Process[] {
  try {
    // What precedes is the name of the program in parentheses, which may contain some itself.
    const [, state = "", parent] = /^.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(pid), parent: Number(parent), state, command }];
  } catch {
    return [];
  }
}

function listedProcesses(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [, pid, parent, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), state, command };
  });
}

/** Returns the children of a process whose command contains `text`. */
export function childrenOf(parent: number, text = ""): number[] {
  return processes()
    .filter((one) => one.parent === parent && one.command.includes(text))
    .map(({ pid }) => pid);
}

/** Returns all processes below a process. */
export function descendantsOf(ancestor: number): Process[] {
  const all = processes();
  const below = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(ancestor);
}

/** Returns the server or worker that this supervisor currently runs; undefined between two of them. */
export function programOf(supervisor: ChildProcess): number | undefined {
  return childrenOf(supervisor.pid ?? 0, "build/server/")[0];
}

/** `kill -9` of a supervisor and its program at once. Resolves when both are gone. */
export async function killBoth(supervisor: ChildProcess, program = programOf(supervisor)): Promise<void> {
  supervisor.kill("SIGKILL");
  kill(program, "SIGKILL");
  while (isProcessRunning(supervisor.pid ?? 0) || (program !== undefined && isProcessRunning(program))) await sleep(5);
}

/** Does nothing if the process is gone. */
export function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // The process ended by itself.
  }
}
