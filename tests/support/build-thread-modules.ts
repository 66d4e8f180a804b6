import { mkdirSync, mkdtempSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "vite";
import { externalModules, threadModules } from "#app/threads.ts";

const project = resolve(import.meta.dirname, "../..");

/**
 * Builds the worker threads' modules as vite.config.ts does: the TypeScript loader costs each thread a second, and the
 * tests start hundreds. Returns the folder, which is inside the project because of imports from node_modules.
 */
export async function buildThreads({ root = project, folder = ownFolder() } = {}): Promise<string> {
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
  return folder;
}

function ownFolder(): string {
  const cache = join(project, ".cache");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "test-threads-"));
}
