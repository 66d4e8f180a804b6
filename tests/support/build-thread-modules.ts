import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "vite";
import { externalModules, threadModules } from "#app/threads.ts";
import { isBuildCurrent } from "#server/build-stamp.js";

const project = resolve(import.meta.dirname, "../..");

/**
 * Creates a folder with the worker threads' modules in `threads`: copied from the build if that is current, and built
 * otherwise. The copy does not change with the build during a run.
 */
export async function prepareThreads(): Promise<string> {
  const folder = ownFolder();
  if (isBuildCurrent()) {
    for (const part of ["threads", "assets"]) {
      cpSync(join(project, "build/server", part), join(folder, part), { recursive: true });
    }
  } else {
    await buildThreads({ folder: join(folder, "threads") });
  }
  return folder;
}

/**
 * Builds the worker threads' modules as vite.config.ts does: the TypeScript loader costs each thread a second, and the
 * tests start hundreds.
 */
export async function buildThreads({ root = project, folder }: { root?: string; folder: string }): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: externalModules },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: "node20",
      rollupOptions: {
        input: Object.fromEntries(threadModules.map((path) => [basename(path, ".ts"), path])),
        output: { entryFileNames: "[name].js" },
      },
    },
  });
}

/** Creates a folder inside the project, because the modules import from node_modules. */
function ownFolder(): string {
  const cache = join(project, ".cache");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "test-threads-"));
}
