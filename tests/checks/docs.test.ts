import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { scaleQuota } from "#app/web/rate-limits/budgets.ts";
import packageJson from "../../package.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const decisions = readdirSync(join(root, "docs/decisions")).filter((name) => /^\d{4}-/.test(name));
const pages = ["README.md", "CONTRIBUTING.md", ...["docs", "docs/decisions"].flatMap((folder) => list(folder))];
const testFiles = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `tests/${name}`);
const costClass = z.enum(["read", "page", "write", "event", "costly", "sign_in", "wrong_key"]);
/** In the order of the columns of docs/operations.md. */
const payerKinds = ["address", "person", "key", "account"] as const;

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

test.each(pages)("every link of %s to a heading leads to one", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#]*)#([^)]+)\)/g)].map(([, path = "", heading = ""]) => ({
    path: path === "" ? page : join(dirname(page), path),
    heading,
  }));
  const lost = links.filter(({ path, heading }) => path.endsWith(".md") && !headingsOf(path).includes(heading));
  expect(lost).toEqual([]);
});

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  const headings = readFileSync(join(root, page), "utf8").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test.each(pages)("every script of npm and every test that %s names exists", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const scripts = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:]*)/g)].map(([, name = ""]) => name);
  expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  const tests = [...text.matchAll(/\bnpm test -- ([a-z][\w/-]*)/g)].map(([, name = ""]) => name);
  expect(tests.filter((name) => !testFiles.some((path) => path.includes(name)))).toEqual([]);
});

test.each(pages)("every path of code in %s exists", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const paths = [...text.matchAll(/`((?:app|checks|commands|db|server|tests)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe("docs/runbook.md", () => {
  const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8");
  /** What the rows of the tables of a section begin with, in code. */
  const rowsOf = (section: string) =>
    (runbook.split(/^## /m).find((text) => text.startsWith(section)) ?? "")
      .split("\n")
      .flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
      .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));

  test("has a row for each alert, and no other", () => {
    const alerts = readFileSync(join(root, "deploy/alerts.yml"), "utf8").matchAll(/- alert: (\w+)/g);
    expect(rowsOf("Alerts").sort()).toEqual([...alerts].map(([, name]) => name).sort());
  });

  test("has a row for each line of the log at level error or warn, and no other", () => {
    const folders = ["app", "db", "server"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(root, folder, name)),
    );
    const sources = folders.filter((name) => /\.tsx?$/.test(name)).map((name) => readFileSync(name, "utf8"));
    const calls =
      /(?:\blog\.(?:error|warn)|\blog\[[^\]]*\]|\blogUnavailable|\breport)\(\s*(?:needsAttention \? )?(?:"(?:error|warn)", )?["`]([^"`:]+(?:: the process ends)?)/g;
    const messages = sources.flatMap((text) => [...text.matchAll(calls)].map(([, message = ""]) => message));
    expect(messages).toContain("payment needs review");
    expect([...new Set(rowsOf("Lines of the log"))].sort()).toEqual([...new Set([...messages, "supervisor"])].sort());
  });
});

test("docs/operations.md has the numbers of the budgets of requests", () => {
  const text = readFileSync(join(root, "docs/operations.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\d,]*) ?\| ([\d,]*) ?\| ([\d,]*) ?\| ([\d,]*) ?\|/gm)];
  expect(rows).toHaveLength(7);
  for (const [, cost = "", ...numbers] of rows) {
    const expected = payerKinds.map((kind, index) =>
      numbers[index] ? scaleQuota(costClass.parse(cost), kind, 1).toLocaleString("en-US") : "",
    );
    expect(numbers, cost).toEqual(expected);
  }
});

test(".env.example documents each setting", () => {
  const documented = readFileSync(join(root, ".env.example"), "utf8").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm);
  const schema = readFileSync(join(root, "app/env.server.ts"), "utf8").split("const schema = z.object({")[1] ?? "";
  const settings = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name);
  expect(settings.length).toBeGreaterThan(50);
  expect(settings.filter((name) => name !== "NODE_ENV").sort()).toEqual([...documented].map(([, name]) => name).sort());
});
