import { spawn } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Where a run leaves its reports. */
export const results = join(root, "test-results");

export function binary(name: string): string {
  return join(root, "node_modules/.bin", name);
}

/** Runs a program of node_modules, and throws what it wrote when it fails. */
export async function runQuietly(name: string, args: string[]): Promise<void> {
  const child = spawn(binary(name), args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((done) => child.on("close", done).on("error", done));
  if (code !== 0) throw new Error(output.trim() || `${name} ended with ${code}`);
}

/** Runs a program on this terminal, in color only if it is one. Returns whether it ended well. */
export async function runVisibly(command: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
  const env = { ...process.env, ...(!process.stdout.isTTY && { NO_COLOR: "1" }), ...more };
  const child = spawn(command, args, { cwd: root, stdio: "inherit", env });
  return (await new Promise((done) => child.on("close", done).on("error", done))) === 0;
}
