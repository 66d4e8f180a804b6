import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildIfStale } from "#server/build-if-stale.ts";

const root = resolve(import.meta.dirname, "../..");
const assets = join(root, "build/client/assets");

beforeAll(buildIfStale, 300_000);

function scriptsWith(mark: string): string[] {
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(50);
  return scripts.filter((name) => readFileSync(join(assets, name), "utf8").includes(mark));
}

it("no browser script contains zod", () => {
  // Minification does not rename properties, and each Zod schema has this one.
  expect(readFileSync(join(root, "node_modules/zod/v4/core/core.js"), "utf8")).toContain("_zod");
  expect(scriptsWith("_zod")).toEqual([]);
});

it("the code of forms is one script of its own", () => {
  expect(scriptsWith("__state__")).toEqual([expect.stringMatching(/^conform-forms-/)]);
});
