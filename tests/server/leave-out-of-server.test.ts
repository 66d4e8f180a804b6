import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { withoutUnused } from "#server/bundle/leave-out-of-server.ts";

/** The exports of a package's file, edited, and the names of the modules that it loaded. */
function load(file: string) {
  const path = `${process.cwd()}/node_modules/${file}`;
  const [module, loaded, require]: [{ exports: Record<string, unknown> }, string[], NodeJS.Require] = [
    { exports: {} },
    [],
    createRequire(path),
  ];
  const run = compileFunction(withoutUnused(readFileSync(path, "utf8"), file), ["module", "exports", "require"]);
  run(module, module.exports, (name: string) => {
    loaded.push(name);
    return require(name);
  });
  return { exports: module.exports, loaded };
}

test("Express in the build has no parsers of bodies, and everything else", () => {
  const { exports, loaded } = load("express/lib/express.js");
  expect(loaded).toContain("./application");
  expect(loaded).not.toContain("body-parser");
  expect(Object.keys(exports)).toEqual(expect.arrayContaining(["Router", "query", "static"]));
  expect(exports).not.toHaveProperty("json");
});

test("the build leaves out the implementations of fetch that Remix contains", () => {
  const { exports, loaded } = load("@remix-run/node/dist/globals.js");
  const installGlobals = exports.installGlobals;
  if (typeof installGlobals !== "function") throw new Error("Remix has no installGlobals");
  for (const options of [{ nativeFetch: true }, {}]) expect(() => installGlobals(options)).toThrow("leaves this out");
  expect(loaded).toEqual([]);
});
