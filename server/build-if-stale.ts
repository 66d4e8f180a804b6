import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartupError } from "#app/startup-error.ts";
import { acquireFileLock } from "#db/data-dir-lock.server.ts";
import { buildStampPath, hashSources, hashTimes, isBuildFresh, root, writeStamp } from "./build-stamp.js";
import { compressAssets } from "./compress-assets.ts";

/** Builds unless the build matches the sources. Of several concurrent processes one builds and the others wait. */
export async function buildIfStale(): Promise<void> {
  const times = hashTimes();
  const sourceHash = hashSources();
  if (isBuildFresh(sourceHash)) return;
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (;;) {
    const lock = acquireFileLock(join(root, ".cache/build.lock"));
    if (typeof lock !== "function") {
      await sleep(300);
      continue;
    }
    try {
      if (!isBuildFresh(sourceHash)) await build(sourceHash, times);
      return;
    } finally {
      lock();
    }
  }
}

async function build(sourceHash: string, times: string): Promise<void> {
  rmSync(buildStampPath, { force: true });
  console.warn("Building. This can take a moment after each change.");
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
  if (code !== 0) throw new StartupError(`The build failed:\n${output}`);
  await compressAssets(join(root, "build/client/assets"));
  writeStamp(sourceHash, times);
}
