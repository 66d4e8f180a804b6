import { type ChildProcess, execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "#db/data-dir-lock.server.ts";

type Process = { pid: number; parent: number; command: string };

/** All processes of the machine. */
function processes(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), command: command ?? "" };
  });
}

/** The children of a process, of those whose command has `text` in it. */
export function childrenOf(parent: number, text = ""): number[] {
  return processes()
    .filter((one) => one.parent === parent && one.command.includes(text))
    .map(({ pid }) => pid);
}

/** The server or worker that this supervisor runs now; undefined between two of them. */
export function programOf(supervisor: ChildProcess): number | undefined {
  return childrenOf(supervisor.pid ?? 0, "build/server/")[0];
}

/** `kill -9` of a supervisor and its program at once. Resolves when both are gone. */
export async function killBoth(supervisor: ChildProcess, program = programOf(supervisor)): Promise<void> {
  supervisor.kill("SIGKILL");
  kill(program, "SIGKILL");
  while (isRunning(supervisor.pid ?? 0) || (program !== undefined && isRunning(program))) await sleep(5);
}

/** Does nothing to a process that is gone. */
export function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}
