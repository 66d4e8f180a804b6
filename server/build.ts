import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/server-runtime";
import { StartError } from "#app/start-error.ts";
import { takeLock } from "#db/data-dir-lock.server.ts";

const root = resolve(import.meta.dirname, "..");
const freshMark = join(root, "build/.fresh");

/** What the build is made of; a change in any of it makes it stale. */
const configuration = ["remix.config.js", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json"];
const sources = ["app", "db", "public", ...configuration];

/** Builds when there is no build of just these sources. Of several processes at once one builds, the others wait. */
export async function buildIfStale(): Promise<void> {
  const wanted = hashOfSources();
  if (isFresh(wanted)) return;
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let taken = takeLock(join(root, ".cache/build.lock")); ; taken = takeLock(join(root, ".cache/build.lock"))) {
    if (typeof taken !== "function") {
      await sleep(300);
      continue;
    }
    try {
      if (!isFresh(wanted)) await build(wanted);
      return;
    } finally {
      taken();
    }
  }
}

/** The server's half of the build. */
export async function loadBuild(): Promise<ServerBuild> {
  return await import(pathToFileURL(join(root, "build/server/index.js")).href);
}

async function build(wanted: string): Promise<void> {
  rmSync(freshMark, { force: true });
  console.warn("Building, which takes a moment after each change");
  const command = join(root, "node_modules/@remix-run/dev/dist/cli.js");
  const child = spawn(process.execPath, [command, "vite:build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((done) => child.on("close", done).on("error", done));
  if (code !== 0) throw new StartError(`The build failed:\n${output}`);
  writeFileSync(freshMark, wanted);
}

function isFresh(wanted: string): boolean {
  try {
    return readFileSync(freshMark, "utf8") === wanted;
  } catch {
    return false;
  }
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesUnder).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(`${path}/${name}`));
}
