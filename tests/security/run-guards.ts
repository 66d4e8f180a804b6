import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import { buildThreads } from "#tests/support/build-thread-modules.ts";
import { findMutants, type Mutant } from "./guards.ts";

/**
 * Takes each guard out of a copy of the project, one at a time, and runs the tests that are there for it: one must
 * fail. `--` and texts run only the mutants whose name holds one of them, `--from=40` those from there on,
 * `--minutes=5` ends it then. Part `guards` of `npm run test:faults`.
 */
const root = resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "endcap-guards-"));
const own = ["app", "commands", "db", "server", "tests", "public", "build"];
const settings = ["package.json", "tsconfig.json", "vite.config.ts", "vitest.config.ts", "remix.config.js"];
for (const name of [...own, ...settings])
  cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

const options = process.argv.slice(2).filter((text) => text !== "--");
const requested = options.filter((text) => !text.startsWith("--"));
const from = numberOf("from") ?? 1;
const until = Date.now() + (numberOf("minutes") ?? Number.POSITIVE_INFINITY) * 60_000;
const mutants = findMutants(root)
  .filter(({ name, file }) => requested.length === 0 || requested.some((text) => `${file} ${name}`.includes(text)))
  .slice(from - 1);
const missed: string[] = [];
const passes = new Map<string, boolean>();
const vitest = await startVitest();
try {
  for (const [index, mutant] of mutants.entries()) {
    const since = Date.now();
    if (since > until) {
      console.info(`Goes on with --from=${index + from}`);
      break;
    }
    const fails = await findMissing(mutant);
    const seconds = Math.round((Date.now() - since) / 1000);
    const result = fails ? `missed by ${fails}` : "MISSED BY NOBODY";
    console.info(`${index + from} ${result}: ${mutant.file}: ${mutant.name} (${seconds} s)`);
    if (!fails) missed.push(`${mutant.file}: ${mutant.name}`);
  }
} finally {
  await vitest.close();
  rmSync(copy, { recursive: true, force: true });
}
console.info(
  missed.length === 0 ? "All guards that were taken out are missed" : `Missed by nobody:\n${missed.join("\n")}`,
);
process.exit(missed.length === 0 && mutants.length > 0 ? 0 : 1);

function numberOf(name: string): number | undefined {
  const option = options.find((text) => text.startsWith(`--${name}=`));
  return option ? Number(option.split("=")[1]) : undefined;
}

/** One for all mutants: its database is started, and filled with tables, once. */
async function startVitest(): Promise<Vitest> {
  process.chdir(copy);
  process.env.FAULTS = "";
  const started = await createVitest(
    "test",
    { root: copy, watch: false, maxWorkers: 1, bail: 1, reporters: [{}] },
    { server: { watch: null } },
  );
  await started.init();
  return started;
}

/** The first test that fails without the guard, and passes with it. Most mutants end with the first file. */
async function findMissing({ file, at, found, instead, tests }: Mutant): Promise<string | undefined> {
  const text = readFileSync(join(copy, file), "utf8");
  const mutated = text.slice(0, at) + instead + text.slice(at + found.length);
  try {
    for (const test of tests) {
      await change(file, mutated);
      if (await passesNow(test)) continue;
      await change(file, text);
      if (await passesAsItIs(test)) return test;
    }
    return undefined;
  } finally {
    await change(file, text);
  }
}

async function change(file: string, text: string): Promise<void> {
  writeFileSync(join(copy, file), text);
  vitest.invalidateFile(join(copy, file));
  const isThreads = /^app\/(sheets|domain\/(audiences\/(files|kernel|members)|catalog\/imports\/reading))\//.test(file);
  if (isThreads) await buildThreads({ root: copy, folder: vitest.getRootProject().getProvidedContext().threads });
}

async function passesAsItIs(test: string): Promise<boolean> {
  const known = passes.get(test) ?? (await passesNow(test));
  passes.set(test, known);
  if (!known) console.info(`${test} fails with all guards in place, and shows nothing`);
  return known;
}

/** Of a file of tests, of those of a folder, or of a part of a file. One that cannot even be read fails. */
async function passesNow(test: string): Promise<boolean> {
  const [path = "", part = ""] = test.split("#");
  const files = (await vitest.globTestSpecifications([path])).filter(({ moduleId }) =>
    moduleId.startsWith(join(copy, path)),
  );
  // What failed before counts for `bail` otherwise.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.setGlobalTestNamePattern(part);
  const { testModules } = await vitest.runTestSpecifications(files);
  return testModules.length > 0 && testModules.every((module) => module.ok());
}
