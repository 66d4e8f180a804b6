import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findMutants, type Mutant } from "./guards.ts";

/**
 * Takes each guard out of a copy of the project, one at a time, and runs the tests that are there for it: one must fail.
 * `--` and a text runs only the mutants whose name holds it. Part `guards` of `npm run test:faults`.
 */
const root = resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "endcap-guards-"));
const own = ["app", "db", "server", "tests", "public", "build"];
const settings = ["package.json", "tsconfig.json", "vite.config.ts", "vitest.config.ts", "remix.config.js"];
for (const name of [...own, ...settings])
  cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

const wanted = process.argv.slice(2).find((text) => text !== "--") ?? "";
const mutants = findMutants(root).filter(({ name, file }) => `${file} ${name}`.includes(wanted));
const missed: string[] = [];
const passes = new Map<string, boolean>();
try {
  for (const [index, mutant] of mutants.entries()) {
    const fails = isMissed(mutant);
    console.info(
      `${index + 1}/${mutants.length} ${fails ? `missed by ${fails}` : "MISSED BY NOBODY"}: ${mutant.file}: ${mutant.name}`,
    );
    if (!fails) missed.push(mutant.name);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.info(
  missed.length === 0 ? `All ${mutants.length} guards are missed` : `Missed by nobody:\n${missed.join("\n")}`,
);
process.exit(missed.length === 0 && mutants.length > 0 ? 0 : 1);

/** The first test that fails without the guard, and passes with it. Most mutants end with the first file. */
function isMissed({ file, at, found, instead, tests }: Mutant): string | undefined {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const mutated = text.slice(0, at) + instead + text.slice(at + found.length);
  try {
    return tests.find((test) => {
      writeFileSync(path, mutated);
      if (failures(test) === 0) return false;
      writeFileSync(path, text);
      return passesAsItIs(test);
    });
  } finally {
    writeFileSync(path, text);
  }
}

function passesAsItIs(test: string): boolean {
  const known = passes.get(test) ?? failures(test) === 0;
  passes.set(test, known);
  if (!known) console.info(`${test} fails with all guards in place, and shows nothing`);
  return known;
}

/** How many tests of a file fail. One that cannot even be read counts as one. */
function failures(test: string): number {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const options = ["run", "--bail=1", "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`];
  const vitest = join(root, "node_modules/.bin/vitest");
  const [path = "", part = ""] = test.split("#");
  spawnSync(vitest, [...options, path, "-t", part], {
    cwd: copy,
    env: { ...process.env, FAULTS: "" },
    timeout: 300_000,
  });
  if (!existsSync(report)) return 0;
  const { numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, "utf8"));
  return numFailedTests + (numFailedTests === 0 ? numFailedTestSuites : 0);
}
