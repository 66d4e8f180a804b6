import { spawn } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** The folder for a run's reports. */
export const results = join(root, "test-results");

export function binary(name: string): string {
  return join(root, "node_modules/.bin", name);
}

/** Runs a program; throws its output when it fails. */
export async function runQuietly(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((done) => child.on("close", done).on("error", done));
  if (code !== 0) throw new Error(output.trim() || `${command} ended with ${code}`);
}

/**
 * glibc's allocator keeps freed memory in place of returning it to the system, which would have to find and clear it
 * again; the programs of a run live for minutes. Other allocators ignore these variables.
 */
const keepFreedMemory = {
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(16 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(64 * 1024 * 1024),
};

/** Runs a program on this terminal, in color only if it is one. Returns whether it succeeded. */
export async function runVisibly(command: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
  const env = { ...keepFreedMemory, ...process.env, ...(!process.stdout.isTTY && { NO_COLOR: "1" }), ...more };
  const child = spawn(command, args, { cwd: root, stdio: "inherit", env });
  return (await new Promise((done) => child.on("close", done).on("error", done))) === 0;
}
