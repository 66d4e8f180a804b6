import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "#server/build-if-stale.ts";
import { requireChromium } from "#tests/support/browser/chromium.ts";
import { findTests } from "./find-tests.ts";
import { readPlaywrightReport, readVitestReport } from "./reports.ts";
import { binary, nativeCompiler, results, runQuietly, runVisibly } from "./run-command.ts";
import { Summary } from "./summary.ts";

/**
 * `npm test`: everything that must hold. It prints how long each part took, what failed and how to run that alone; the
 * last line counts all parts, in which each check counts as one.
 * `npm test -- NAME [-t TITLE]`: the test files whose path contains NAME alone, and of these the tests whose title matches.
 */
const wanted = findTests(process.argv.slice(2));
const summary = new Summary();

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

if (wanted) {
  if (wanted.inBrowser.length > 0) {
    await summary.check("build", buildIfStale);
    await summary.check("browser", requireChromium);
  }
  if (wanted.unit.length > 0) await unitTests([...wanted.unit, ...(wanted.title ? ["-t", wanted.title] : [])]);
  if (wanted.inBrowser.length > 0) {
    await browserTests([...wanted.inBrowser, ...(wanted.title ? ["-g", wanted.title] : [])]);
  }
} else {
  // Two at a time, the longest first, so that they end together on two cores.
  await summary.sideBySide(2, [
    ["types", () => runQuietly(process.execPath, [nativeCompiler, "--singleThreaded"])],
    ["build", buildIfStale],
    [
      "imports",
      () =>
        runQuietly(binary("depcruise"), [
          "--config",
          ".dependency-cruiser.cjs",
          "app",
          "commands",
          "db",
          "server",
          "tests",
        ]),
    ],
    ["unused", () => runQuietly(binary("knip"), [])],
    ["words", () => runQuietly(binary("tsx"), ["checks/words.ts"])],
    ["lint", () => runQuietly(binary("biome"), ["check", "--error-on-warnings", "."])],
    ["browser", requireChromium],
  ]);
  await unitTests([]);
  await browserTests([]);
}
process.exit(summary.print());

function unitTests(more: string[]): Promise<void> {
  const report = join(results, "vitest.json");
  return summary.suite("unit and integration", {
    run: () =>
      runVisibly(binary("vitest"), [
        "run",
        "--reporter=dot",
        "--reporter=json",
        `--outputFile.json=${report}`,
        ...more,
      ]),
    read: () => readVitestReport(report),
  });
}

function browserTests(more: string[]): Promise<void> {
  const report = join(results, "playwright.json");
  return summary.suite("in the browser", {
    run: () =>
      runVisibly(binary("playwright"), ["test", "--reporter=dot,json", `--output=${results}/browser`, ...more], {
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      }),
    read: () => readPlaywrightReport(report),
  });
}
