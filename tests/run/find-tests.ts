import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = resolve(import.meta.dirname, "../..");

export type WantedTests = {
  /** Paths of files that vitest runs. */
  unit: string[];
  /** Paths of files that playwright runs. */
  inBrowser: string[];
  /** Runs only tests whose title matches this pattern; undefined: all. */
  title: string | undefined;
};

/**
 * Returns the test files that the arguments of `npm test` select: those whose path contains one of the names. Undefined
 * without arguments, which select all. Exits with 2 when a name matches no file.
 */
export function findTests(args: string[]): WantedTests | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { title: { type: "string", short: "t" } },
  });
  if (positionals.length === 0 && values.title === undefined) return undefined;
  const files = testFiles();
  const unknown = positionals.filter((name) => !files.some((path) => path.includes(name)));
  if (unknown.length > 0) {
    console.error(`No test file's path contains ${unknown.join(", ")}`);
    process.exit(2);
  }
  const found = files.filter((path) => positionals.length === 0 || positionals.some((name) => path.includes(name)));
  return {
    unit: found.filter((path) => !isInBrowser(path)),
    inBrowser: found.filter(isInBrowser),
    title: values.title,
  };
}

/** What `npm run bench`, `npm run test:citus` and `npm run test:s3` run. */
const elsewhere = [
  "tests/bench/",
  ...(process.env.CITUS_URL ? [] : ["tests/citus/"]),
  ...(process.env.S3_TEST_URL ? [] : ["tests/s3/"]),
];

/** Returns all test files, of both kinds, relative to the project. */
export function testFiles(): string[] {
  return readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
    .map((path) => `tests/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.test\.tsx?$/.test(path) && !elsewhere.some((folder) => path.startsWith(folder)));
}

export function isInBrowser(path: string): boolean {
  return path.startsWith("tests/e2e/");
}
