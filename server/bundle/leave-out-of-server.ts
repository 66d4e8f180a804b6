import type { Plugin } from "vite";
import { applyEdits, cut, type FileEdits, replaceAll } from "./text-edits.ts";

const left = '(() => { throw new Error("The build leaves this out (server/bundle/leave-out-of-server.ts)"); })()';

const edits: Readonly<Record<string, FileEdits>> = {
  // Two implementations of `fetch` for old versions of Node, 0.9 MB, which `installGlobals` loads.
  "@remix-run/node/dist/globals.js": [replaceAll(/require\("(?:undici|@remix-run\/web-fetch)"\)/g, left)],
  // The parsers of bodies, with 60 more modules and the tables of iconv-lite.
  "express/lib/express.js": [
    cut("var bodyParser = require('body-parser')", "\n"),
    replaceAll(/^exports\.\w+ = bodyParser\.\w+;?$/gm, ""),
  ],
};

/**
 * Leaves out of the server's build what packages contain and the server never calls, because each start would parse it
 * or run it. The build fails if a package's text has changed.
 */
export function leaveOutOfServer(): Plugin {
  const missed = new Set(Object.keys(edits));
  return {
    name: "leave-out-of-server",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      const file = id.split("/node_modules/").at(-1) ?? "";
      if (!(file in edits)) return undefined;
      missed.delete(file);
      return { code: withoutUnused(code, file), map: null };
    },
    generateBundle() {
      if (missed.size > 0) throw new Error(`The bundle lacks ${[...missed].join(", ")}`);
    },
  };
}

/** Returns the text of a package's file without what the server never calls. */
export function withoutUnused(code: string, file: string): string {
  return applyEdits(code, edits[file] ?? [], file);
}
