import { basename } from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { bundledModules, threadModules } from "./app/threads.ts";
import remixOptions from "./remix.config.js";

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), remix(remixOptions), ...(isSsrBuild ? [processes()] : [])],
  ...(isSsrBuild && { ssr: { noExternal: bundledModules } }),
  build: isSsrBuild ? { target: "node20" } : { rollupOptions: { output: { manualChunks: chunkOf } } },
  // Found on a cold cache otherwise, which reloads the page in the middle of hydration.
  optimizeDeps: {
    include: [
      "react",
      "react-dom",
      "react-dom/client",
      "react/jsx-runtime",
      "react/jsx-dev-runtime",
      "@remix-run/react",
      "@conform-to/react",
      "lucide-react",
    ],
  },
}));

/**
 * What runs in a thread or process of its own is built too, the server first: the loader of TypeScript costs each thread a
 * second and 20 MB, and the server most of its memory (docs/decisions/0032).
 */
function processes(): Plugin {
  return {
    name: "processes",
    buildStart() {
      for (const name of ["supervisor", "start", "worker"]) {
        this.emitFile({ type: "chunk", id: `server/${name}.ts`, fileName: `${name}.js` });
      }
      for (const name of threadModules) {
        this.emitFile({ type: "chunk", id: name, fileName: `threads/${basename(name, ".ts")}.js` });
      }
    },
  };
}

/**
 * What all pages need, and what all pages of a portal need, is one file each: thirty small ones pack worse, and every page
 * names each of them. The rest is left to Vite. (A chunk takes what its modules import along, icons for one.)
 */
function chunkOf(id: string): string | undefined {
  if (/\/node_modules\/(@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//.test(id)) {
    return "framework";
  }
  if (/\/app\/(portal\/[^/]+|web\/document-request|entry\.client)\.tsx?$/.test(id)) return "frame";
  if (/\/app\/ui\/(badge|button|format|layout|menu|notice|panel|progress|row-icon|stat-tile|table)\.tsx?$/.test(id)) {
    return "frame";
  }
  if (/\/app\/domain\/(money|calendar-date|rate|product|campaigns\/campaign)\.ts$/.test(id)) return "frame";
  return undefined;
}
