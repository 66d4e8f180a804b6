import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const decisions = readdirSync(join(root, "docs/decisions")).filter((name) => /^\d{4}-/.test(name));
const pages = ["README.md", ...["docs", "docs/decisions"].flatMap((folder) => list(folder))];

function list(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

test.each(decisions)("decision %s has the three parts, its number and a line in the index", (name) => {
  const text = readFileSync(join(root, "docs/decisions", name), "utf8");
  expect(text).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `));
  const parts = ["**Context.**", "**Decision.**", "**Consequences.**"].map((part) => text.indexOf(part));
  expect(parts.every((at) => at > 0)).toBe(true);
  expect(parts).toEqual([...parts].sort((one, other) => one - other));
  expect(readFileSync(join(root, "docs/decisions/README.md"), "utf8")).toContain(`(${name})`);
});

test.each(pages)("every link of %s leads to a file of the repository", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test.each(pages)("every path of code in %s exists", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const paths = [...text.matchAll(/`((?:app|checks|commands|db|server|tests)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
