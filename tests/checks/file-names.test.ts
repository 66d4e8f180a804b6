import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const notOurs = new Set(["node_modules", "build", "public", "docs"]);

/** Returns paths that differ only by `.ts` and `.tsx`, which imports would confuse. */
function findTwins(paths: readonly string[]): string[] {
  const known = new Set(paths);
  return paths.filter((path) => path.endsWith(".ts") && known.has(`${path}x`)).map((path) => path.slice(0, -3));
}

function listFiles(): string[] {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !notOurs.has(entry.name))
    .map(({ name }) => name);
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
}

test("no two files differ only by .ts and .tsx", () => {
  const files = listFiles();
  expect(files.filter((path) => path.endsWith(".tsx")).length).toBeGreaterThan(100);
  expect(findTwins(files)).toEqual([]);
});

test("two files that differ only by .ts and .tsx are found; .server.ts and other folders are ignored", () => {
  const files = ["a/order.ts", "a/order.tsx", "a/line.tsx", "a/line.server.ts", "b/line.ts", "b/money.ts"];
  expect(findTwins(files)).toEqual(["a/order"]);
});
