import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hostOf } from "#db/connection-target.server.ts";
import { freePort } from "#tests/support/servers/app-server.ts";
import { pinTo } from "./bench-world.ts";

export type Program = { origin: string; stop: () => void };

/**
 * One of our own programs of the bench, on processor 0: `node program DATABASE_URL PORT …`, which says so when it
 * listens.
 */
export async function startProgram(file: string, databaseUrl: string, ...more: string[]): Promise<Program> {
  const port = await freePort();
  const command = ["--disable-proto=throw", "--import", "tsx", resolve(import.meta.dirname, "..", file)];
  const child = spawn(process.execPath, [...command, databaseUrl, String(port), ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.stdout.resume();
  pinTo(0, child.pid);
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/**
 * The Next.js reference, installed and built with these files more in a folder of its own; undefined if the registry
 * does not have it.
 */
export async function startNext(databaseUrl: string, files: Record<string, string>): Promise<Program | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-next-"));
  cpSync(resolve(import.meta.dirname, "../reference/next"), folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const next = join(folder, "node_modules/next/dist/bin/next");
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATABASE_HOST: hostOf(new URL(databaseUrl)),
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
  };
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, env, stdio: "ignore" });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (
    run("npm", "install", "--no-audit", "--no-fund").status !== 0 ||
    run(process.execPath, next, "build").status !== 0
  ) {
    return void remove();
  }
  const port = await freePort();
  const child = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of child.stdout.setEncoding("utf8")) if (String(line).includes("Ready")) break;
  child.stdout.resume();
  pinTo(0, child.pid);
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill();
      remove();
    },
  };
}
