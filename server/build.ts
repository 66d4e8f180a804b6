import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "#app/start-error.ts";
import { takeLock } from "#db/data-dir-lock.server.ts";
import { builtMark, hashOfSources, isBuilt, root } from "./built.js";

/** Builds when there is no build of just these sources. Of several processes at once one builds, the others wait. */
export async function buildIfStale(): Promise<void> {
  const wanted = hashOfSources();
  if (isBuilt(wanted)) return;
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let taken = takeLock(join(root, ".cache/build.lock")); ; taken = takeLock(join(root, ".cache/build.lock"))) {
    if (typeof taken !== "function") {
      await sleep(300);
      continue;
    }
    try {
      if (!isBuilt(wanted)) await build(wanted);
      return;
    } finally {
      taken();
    }
  }
}

async function build(wanted: string): Promise<void> {
  rmSync(builtMark, { force: true });
  console.warn("Building, which takes a moment after each change");
  const command = join(root, "node_modules/@remix-run/dev/dist/cli.js");
  const child = spawn(process.execPath, [command, "vite:build"], {
    cwd: root,
    // biome-ignore lint/plugin/one-reader-of-the-environment: the build runs in the environment of its starter.
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
  writeFileSync(builtMark, wanted);
}
