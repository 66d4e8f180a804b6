import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { doubled, findMutants } from "./guards.ts";

const root = resolve(import.meta.dirname, "../..");
const mutants = findMutants(root);

test("each guard that the fault tests remove exists once in its file, and has tests", () => {
  expect(mutants.length).toBeGreaterThan(100);
  for (const { name, file, at, found, instead, tests } of mutants) {
    const text = readFileSync(join(root, file), "utf8");
    expect(text.slice(at, at + found.length), name).toBe(found);
    expect(instead, name).not.toBe(found);
    expect(tests, name).not.toEqual([]);
    expect(
      tests.filter((path) => !existsSync(join(root, path.replace(/#.*/, "")))),
      name,
    ).toEqual([]);
  }
});

test("each part of a test file that guards name is a title in it", () => {
  const parts = new Set(mutants.flatMap(({ tests }) => tests.filter((path) => path.includes("#"))));
  expect(parts.size).toBeGreaterThan(0);
  for (const part of parts) {
    const [path = "", title = ""] = part.split("#");
    expect(readFileSync(join(root, path), "utf8"), part).toContain(`"${title}"`);
  }
});

test("each guard that backs another one exists once in its file", () => {
  for (const { file, found } of doubled)
    expect(readFileSync(join(root, file), "utf8").split(found), file).toHaveLength(2);
});
