import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { minify } from "terser";
import { defineConfig, type Plugin } from "vite";
import { externalModules, threadModules } from "./app/threads.ts";
import remixOptions from "./remix.config.js";
import { fetchBeforeImport } from "./server/bundle/fetch-before-import.ts";
import { leaveOutOfServer } from "./server/bundle/leave-out-of-server.ts";
import { leaveOutUnused } from "./server/bundle/leave-out-unused.ts";
import { licenseFile, licensesPath } from "./server/bundle/license-file.ts";
import { partScripts } from "./server/bundle/part-scripts.ts";
import { scriptGroupOf } from "./server/bundle/script-groups.ts";
import { streamOnDemand } from "./server/bundle/stream-on-demand.ts";

/**
 * The oldest browsers that Tailwind's style sheet works in, and so the oldest that need to read the script. Both builds
 * have the same for styles, because both write the style sheet: with the server's own target, pages would load another
 * one than the browser's components name.
 */
const oldestBrowsers = ["chrome111", "firefox128", "safari16.4"];

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    retainScreenOnModuleFailure(),
    tailwindcss(),
    remix(remixOptions),
    ...(isSsrBuild
      ? [processes(), serverElements(), streamOnDemand(), leaveOutOfServer(), partScripts()]
      : [leaveOutUnused(), fetchBeforeImport(), licenseFile(), renameForGzip()]),
  ],
  ...(isSsrBuild && { ssr: { noExternal: true, external: externalModules } }),
  build: {
    cssTarget: oldestBrowsers,
    ...(isSsrBuild
      ? { target: "node20" }
      : {
          target: oldestBrowsers,
          modulePreload: false,
          rollupOptions: { output: { manualChunks: chunkOf, ...fileNames } },
        }),
  },
  // Found on a cold cache otherwise, which reloads the page in the middle of hydration.
  optimizeDeps: {
    include: [
      "react",
      "react-dom",
      "react-dom/client",
      "react/jsx-runtime",
      "react/jsx-dev-runtime",
      "@remix-run/react",
    ],
  },
}));

/**
 * What runs in a thread or process of its own is built too, the server first: the loader of TypeScript costs each
 * thread a second and 20 MB, and the server most of its memory (docs/decisions/0032).
 */
function processes(): Plugin {
  return {
    name: "processes",
    buildStart() {
      for (const id of ["server/supervisor/supervisor.ts", "server/start.ts", "server/jobs/worker.ts"]) {
        this.emitFile({ type: "chunk", id, fileName: `${basename(id, ".ts")}.js` });
      }
      for (const id of operatorCommands()) {
        this.emitFile({ type: "chunk", id, fileName: `commands/${basename(id, ".ts")}.js` });
      }
      for (const name of threadModules) {
        this.emitFile({ type: "chunk", id: name, fileName: `threads/${basename(name, ".ts")}.js` });
      }
    },
  };
}

/** The commands of package.json, which `commands/run.js` starts. */
function operatorCommands(): string[] {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));
  return Object.values(scripts).flatMap((script) => {
    const name = /^node commands\/run\.js ([\w-]+)$/.exec(script)?.[1];
    return name ? `commands/${name}.ts` : [];
  });
}

/**
 * A file is named by its hash alone: the manifest and the files that import it name it again on every page, together
 * 1.5 KB (gzip). What is loaded on demand, and the first file, have names to look for.
 */
const fileNames = {
  entryFileNames: ({ name }: { name: string }) => `assets/${name === "entry.client" ? "[name]-" : ""}[hash:7].js`,
  chunkFileNames: ({ isDynamicEntry }: { isDynamicEntry: boolean }) =>
    `assets/${isDynamicEntry ? "[name]-" : ""}[hash:7].js`,
};

/**
 * Renames the variables of the browser's script again, after esbuild: Terser gives the names that pack best, 3 KB
 * (gzip) on every page. Its other transformations take ten times as long for little more, except in large files: 1.4 KB
 * in the framework, 0.2 KB in those of a screen. The comments with licenses, one for each module, are 1 KB of every
 * page. File names keep the hash of esbuild's code.
 */
function renameForGzip(): Plugin {
  return {
    name: "rename-for-gzip",
    apply: "build",
    enforce: "post",
    async generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const compress = chunk.code.length > 5_000 && {
          ecma: 2020 as const,
          passes: 3,
          pure_getters: chunk.name === "framework" || chunk.name === "entry.client",
          keep_fargs: false,
        };
        const preamble = chunk.name === "framework" ? `/*! Licenses: ${licensesPath} */` : undefined;
        const { code } = await minify(chunk.code, { module: true, compress, format: { comments: false, preamble } });
        if (code !== undefined) chunk.code = code;
      }
    },
  };
}

/**
 * Without a connection, or after a new build, Remix reloads the document when the code of a screen can't be loaded,
 * also when a link was only pointed at, and with it what was typed. `routeModuleFailed` of app/web/lost-requests
 * decides instead.
 */
function retainScreenOnModuleFailure(): Plugin {
  const from = "    // If we can't load the route it's likely one of 2 things:";
  const to = "    return new Promise(() => {";
  return {
    name: "retain-screen-on-module-failure",
    apply: "build",
    transform(code, id) {
      if (!id.endsWith("/@remix-run/react/dist/esm/routeModules.js")) return undefined;
      const [before, rest] = code.split(from);
      const after = rest?.split(to)[1];
      if (!before || !after) throw new Error(`${id} has no reload that could be replaced`);
      return { code: `${before}return window.routeModuleFailed(route.module);\n${to}${after}`, map: null };
    },
  };
}

/** The server creates elements without copying their properties (server/jsx-runtime.ts). */
function serverElements(): Plugin {
  const own = resolve("server/jsx-runtime.ts");
  return {
    name: "server-elements",
    apply: "build",
    enforce: "pre",
    resolveId: (id, importer) => (id === "react/jsx-runtime" && importer !== own ? own : undefined),
  };
}

/**
 * The framework is one file, and so is each group of modules that most of its screens load together
 * (server/bundle/script-groups.ts). The rest is left to Vite.
 */
function chunkOf(id: string): string | undefined {
  if (/\/node_modules\/(@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//.test(id)) {
    return "framework";
  }
  return scriptGroupOf(id);
}
