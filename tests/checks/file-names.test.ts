import { expect, test } from "vitest";
import { listFiles } from "./list-files.ts";

/** Returns paths that differ only by `.ts` and `.tsx`, which imports would confuse. */
function findTwins(paths: readonly string[]): string[] {
  const known = new Set(paths);
  return paths.filter((path) => path.endsWith(".ts") && known.has(`${path}x`)).map((path) => path.slice(0, -3));
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
