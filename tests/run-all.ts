import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { patchDatabaseDriver } from "#db/driver-patch.ts";
import { buildIfStale } from "#server/build.ts";
import { requireChromium } from "#tests/support/chromium.ts";

/** `npm test`: everything that must hold, one after the other. The last line counts; each check counts as one. */
const results = resolve(import.meta.dirname, "../test-results");
const total = { passed: 0, failed: 0 };

type Count = { passed: number; failed: number };

const vitestCount = z
  .object({ numPassedTests: z.number(), numFailedTests: z.number() })
  .transform(({ numPassedTests, numFailedTests }) => ({ passed: numPassedTests, failed: numFailedTests }));

const playwrightCount = z
  .object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }) })
  .transform(({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }));

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

console.info(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

function check(name: string, command: string, args: string[]): void {
  console.info(`\n— ${name}`);
  add(run(command, args) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

/** A suite that ends badly has failed, whatever its report says, or if it left none. */
function suite(name: string, { command, args, count }: { command: string; args: string[]; count: () => Count }): void {
  console.info(`\n— ${name}`);
  const ended = run(command, args);
  try {
    const { passed, failed } = count();
    add({ passed, failed: ended ? failed : Math.max(failed, 1) });
  } catch (error) {
    console.error(`${name}: no report`, error);
    add({ passed: 0, failed: 1 });
  }
}

async function attempt(name: string, work: () => unknown): Promise<void> {
  console.info(`\n— ${name}`);
  try {
    await work();
    add({ passed: 1, failed: 0 });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    add({ passed: 0, failed: 1 });
  }
}

function add({ passed, failed }: Count): void {
  total.passed += passed;
  total.failed += failed;
}

function run(command: string, args: string[]): boolean {
  const bin = resolve(import.meta.dirname, "../node_modules/.bin", command);
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${results}/playwright.json` };
  return spawnSync(bin, args, { stdio: "inherit", env }).status === 0;
}

function report(file: string): unknown {
  return JSON.parse(readFileSync(`${results}/${file}`, "utf8"));
}
