import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "#server/build-if-stale.ts";
import { requireChromium } from "#tests/support/browser/chromium.ts";
import { findTests } from "./find-tests.ts";
import { type Failure, patternOf, readPlaywrightReport, readVitestReport } from "./reports.ts";
import { binary, results, runQuietly, runVisibly } from "./run-command.ts";
import { Summary } from "./summary.ts";

/**
 * `npm test`: everything that must hold. It prints how long each part took, what failed and how to run that alone; the
 * last line counts all parts, in which each check counts as one. A few tests that fail are repeated alone, and those
 * that pass then are printed as unsteady; `npm test -- --once` repeats none. `npm test -- NAME [-t TITLE]`: the test
 * files whose path contains NAME alone, and of these the tests whose title matches.
 */
const mayRepeat = !process.argv.includes("--once");
const wanted = findTests(process.argv.slice(2).filter((argument) => argument !== "--once"));
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
    ["types", () => npmCheck("types")],
    ["build", buildIfStale],
    ["imports", () => npmCheck("imports")],
    ["unused", () => npmCheck("unused")],
    ["words", () => npmCheck("words")],
    ["lint", () => npmCheck("lint")],
    ["browser", requireChromium],
  ]);
  await unitTests([]);
  await browserTests([]);
}
process.exit(summary.print());

/** A part of `npm run check`, as package.json defines it. */
function npmCheck(name: string): Promise<void> {
  return runQuietly("npm", ["run", "--silent", `check:${name}`]);
}

function unitTests(more: string[]): Promise<void> {
  const runTo = (report: string, selected: string[]) =>
    runVisibly(binary("vitest"), [
      "run",
      "--reporter=dot",
      `--reporter=${join(import.meta.dirname, "json-report.ts")}`,
      `--outputFile.json=${report}`,
      ...selected,
    ]);
  return suite("unit and integration", { reportName: "vitest", runTo, read: readVitestReport }, more);
}

function browserTests(more: string[]): Promise<void> {
  const runTo = (report: string, selected: string[]) =>
    runVisibly(binary("playwright"), ["test", "--reporter=dot,json", `--output=${results}/browser`, ...selected], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
  return suite(
    "in the browser",
    { reportName: "playwright", runTo, read: readPlaywrightReport, titleOption: "-g" },
    more,
  );
}

type Runner = {
  reportName: string;
  runTo: (report: string, selected: string[]) => Promise<boolean>;
  read: typeof readVitestReport;
  /**
   * How the runner takes the titles of the tests that are repeated; without it their whole files are, as some tests
   * follow others.
   */
  titleOption?: string;
};

/** Runs the selected tests; in a run of all tests, what failed runs once more. */
function suite(name: string, { reportName, runTo, read, titleOption }: Runner, selected: string[]): Promise<void> {
  const [first, second] = [join(results, `${reportName}.json`), join(results, `${reportName}-again.json`)];
  return summary.suite(name, {
    run: () => runTo(first, selected),
    read: () => read(first),
    ...(mayRepeat &&
      !wanted && {
        repeat: async (failed: Failure[]) => {
          const tests = failed.flatMap(({ test }) => test ?? []);
          const titles = tests.map(({ title }) => patternOf(title ?? "")).join("|");
          const which = titleOption ? [titleOption, titles] : [];
          const endedWell = await runTo(second, [...new Set(tests.map(({ file }) => file)), ...which]);
          const again = read(second);
          return endedWell || again.failed > 0 ? again : undefined;
        },
      }),
  });
}
