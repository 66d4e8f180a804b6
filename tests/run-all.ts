import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { patchDatabaseDriver } from "#db/driver-patch.ts";
import { buildIfStale } from "#server/build.ts";
import { requireChromium } from "#tests/support/chromium.ts";

/** `npm test`: everything that must hold, one after the other. The last line counts; each check counts as one. */
const results = resolve(import.meta.dirname, "../test-results");
const total: Count = { passed: 0, failed: 0, names: [] };

/** `names` are those that failed, each with the first line of why: repeated at the end, where somebody looks first. */
type Count = { passed: number; failed: number; names: string[] };

const vitestCount = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    testResults: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string().default(""),
        assertionResults: z.array(
          z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
        ),
      }),
    ),
  })
  .transform(({ numPassedTests, numFailedTests, testResults }): Count => {
    const names = testResults.flatMap((file) => {
      const failed = file.assertionResults.filter((test) => test.status === "failed");
      if (failed.length === 0 && file.status === "failed") return [named(file.name, file.message)];
      return failed.map((test) => named(`${file.name} › ${test.fullName}`, test.failureMessages?.[0] ?? ""));
    });
    return { passed: numPassedTests, failed: numFailedTests, names };
  });

type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { projectName: string; status: string }[] }[];
};

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  title: z.string(),
  suites: z.lazy(() => z.array(playwrightSuite)).optional(),
  specs: z
    .array(
      z.object({
        title: z.string(),
        file: z.string(),
        tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
      }),
    )
    .optional(),
});

const playwrightCount = z
  .object({
    stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
    suites: z.array(playwrightSuite),
  })
  .transform(
    ({ stats, suites }): Count => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      names: suites.flatMap(namesOf),
    }),
  );

patchDatabaseDriver();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

check("types", "tsc", ["--noEmit"]);
check("lint", "biome", ["check", "--error-on-warnings", "."]);
check("imports", "depcruise", ["--config", ".dependency-cruiser.cjs", "app", "db", "server", "tests"]);
check("unused", "knip", []);
await attempt("build", buildIfStale);
await attempt("browser", requireChromium);
suite("unit and integration", {
  command: "vitest",
  args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}/vitest.json`],
  count: () => vitestCount.parse(report("vitest.json")),
});
suite("in the browser", {
  command: "playwright",
  args: ["test", "--reporter=list,json", `--output=${results}/browser`],
  count: () => playwrightCount.parse(report("playwright.json")),
});

for (const name of total.names) console.info(`failed: ${name}`);
console.info(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

function check(name: string, command: string, args: string[]): void {
  console.info(`\n— ${name}`);
  const passed = run(command, args);
  add(passed ? { passed: 1, failed: 0, names: [] } : { passed: 0, failed: 1, names: [name] });
}

/** A suite that ends badly has failed, whatever its report says, or if it left none. */
function suite(name: string, { command, args, count }: { command: string; args: string[]; count: () => Count }): void {
  console.info(`\n— ${name}`);
  const ended = run(command, args);
  try {
    const { passed, failed, names } = count();
    const unnamed = !ended && failed === 0;
    add({ passed, failed: unnamed ? 1 : failed, names: unnamed ? [`${name} ended badly`] : names });
  } catch (error) {
    console.error(`${name}: no report`, error);
    add({ passed: 0, failed: 1, names: [`${name} left no report`] });
  }
}

async function attempt(name: string, work: () => unknown): Promise<void> {
  console.info(`\n— ${name}`);
  try {
    await work();
    add({ passed: 1, failed: 0, names: [] });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    add({ passed: 0, failed: 1, names: [name] });
  }
}

function add({ passed, failed, names }: Count): void {
  total.passed += passed;
  total.failed += failed;
  total.names.push(...names);
}

function namesOf({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ projectName }) => `[${projectName}] ${file} › ${title}`),
  );
  return [...own, ...suites.flatMap(namesOf)];
}

/** Relative to the project, with the first line of the reason. */
function named(test: string, reason: string): string {
  const place = test.replace(`${resolve(import.meta.dirname, "..")}/`, "");
  return `${place}: ${reason.split("\n", 1)[0]?.slice(0, 300)}`;
}

function run(command: string, args: string[]): boolean {
  const bin = resolve(import.meta.dirname, "../node_modules/.bin", command);
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${results}/playwright.json` };
  return spawnSync(bin, args, { stdio: "inherit", env }).status === 0;
}

function report(file: string): unknown {
  return JSON.parse(readFileSync(`${results}/${file}`, "utf8"));
}
