import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { reactDomEdits } from "./react-dom-edits.ts";
import { reactEdits } from "./react-edits.ts";
import { remixEdits } from "./remix-edits.ts";
import { routerEdits } from "./router-edits.ts";
import { applyEdits, type FileEdits } from "./text-edits.ts";

/** Functions and hooks of React that are left out. */
const reactFunctions = [
  "createRoot|findDOMNode|SuspenseList|Profiler|Children|cloneElement|createFactory|createRef|PureComponent",
  "use(?:ImperativeHandle|InsertionEffect|DebugValue|DeferredValue|Transition|MutableSource)",
].join("|");
const leftOutOfReact = new RegExp(`\\b(?:${reactFunctions}|flushSync(?=\\())\\b`);
/** Names in the app that stand for what is left out. */
const leftOut = new RegExp(
  `\\b(?:${[
    `${reactFunctions}|flushSync|(?:child)?[cC]ontextTypes`,
    "component(?:WillMount|WillReceiveProps|WillUpdate)|viewTransition|Await|defer",
    "on(?:Select|BeforeInput|Composition\\w+|Animation\\w+|Transition\\w+|KeyPress)|contentEditable|xlink\\w+|xml(?:Base|Lang|Space)",
    "clipboardData|touches|changedTouches|targetTouches|movement[XY]|delta[XYZ]",
  ].join("|")})\\b`,
);

/** The packages that set attributes and listen to events, beside the app, and those that don't. */
const packages = {
  searched: ["@remix-run/react", "react-router", "react-router-dom", "@conform-to/react", "@conform-to/dom"],
  other: [
    "@fontsource-variable/inter",
    "react",
    "react-dom",
    "scheduler",
    "turbo-stream",
    "@remix-run/router",
    "@remix-run/server-runtime",
  ],
};

/**
 * Leaves out of React, Remix and its router what the app does not use: 19 KB (gzip) of every page
 * (docs/decisions/0103-unused-code-of-the-framework.md). The build fails if a package's text has changed, if the app
 * uses what is left out, if a package uses a function or hook that is left out of React, or if the browser gets a
 * package that this plugin does not know.
 */
export function leaveOutUnused(): Plugin {
  let edits: Readonly<Record<string, FileEdits>> = {};
  const missed = new Set<string>();
  return {
    name: "leave-out-unused",
    apply: "build",
    enforce: "pre",
    buildStart() {
      const names = new Set<string>();
      const ofPackages = packages.searched.flatMap((name) => codeUnder(`node_modules/${name}/dist`, /(?<!\.d)\.m?js$/));
      for (const path of [...codeUnder("app", /(?<!\.server)\.tsx?$/), ...ofPackages]) {
        const text = readFileSync(path, "utf8");
        if (path.startsWith("app/")) throwIfUsed(leftOut, path, text);
        for (const [word] of text.matchAll(/\b[a-z]\w+/g)) names.add(word).add(word.toLowerCase());
      }
      edits = { ...routerEdits, ...remixEdits, ...reactEdits, ...reactDomEdits((name) => names.has(name)) };
      for (const file of Object.keys(edits)) missed.add(file);
    },
    transform(code, id) {
      const file = Object.keys(edits).find((name) => id.endsWith(`/node_modules/${name}`));
      const changes = file === undefined ? undefined : edits[file];
      if (file === undefined || !changes) return undefined;
      missed.delete(file);
      return { code: applyEdits(code, changes, file), map: null };
    },
    generateBundle(_, bundle) {
      if (missed.size > 0) throw new Error(`The bundle lacks ${[...missed].join(", ")}`);
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const [id, { code }] of Object.entries(chunk.modules)) if (code) checkPackageCode(id, code);
      }
    },
  };
}

/**
 * Checks a module's code as the bundle has it, without functions that nothing calls, such as those of react-router for
 * routes that are elements, which use `Children`.
 *
 * @throws Error if its package is unknown, or uses what is left out of React.
 */
export function checkPackageCode(id: string, code: string): void {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/s.exec(id) ?? [];
  if (name === undefined || packages.other.includes(name)) return;
  if (!packages.searched.includes(name))
    throw new Error(`The browser's script has ${name}, whose attributes are not known`);
  throwIfUsed(leftOutOfReact, id, code);
}

function throwIfUsed(names: RegExp, path: string, code: string): void {
  const [name] = names.exec(code) ?? [];
  if (name)
    throw new Error(`${path} has ${name}, in its code or a comment, which the build leaves out (server/bundle)`);
}

/** Returns the paths of the code that may run in the browser. */
function codeUnder(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => pattern.test(path) && !/(^|\/)(mail|cjs|umd)\//.test(path))
    .map((path) => `${folder}/${path}`);
}
