import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { z } from "zod";

/** What a part of the run did. `failures` name each test that failed, why, and how to run it alone. */
export type Outcome = { passed: number; failed: number; failures: Failure[] };

export type Failure = {
  name: string;
  reason: string;
  rerun: string;
  /**
   * Where the test is; undefined for a part that is not a test. `title` is undefined for a file that fails as a whole.
   */
  test?: { file: string; title: string | undefined };
  /** True for an error outside of the file's tests, such as a rejection that nobody handled. */
  isOutside?: true;
};

/** What a runner's report says of a part of many tests. `passes` are the names of the tests that passed. */
export type Report = Outcome & { passes: string[]; files: { path: string; seconds: number }[] };

const root = resolve(import.meta.dirname, "../..");

/** Reads the JSON report of vitest (json-report.ts), and with it the seconds of each file. */
export function readVitestReport(reportPath: string): Report {
  const report = vitestReport.parse(JSON.parse(readFileSync(reportPath, "utf8")));
  const failed = report.testResults.flatMap((file): Failure[] => {
    const name = relative(root, file.name);
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0 && file.status === "failed") {
      const test = { file: name, title: undefined };
      return [{ name, reason: firstLine(file.message), rerun: rerunOf(name), test }];
    }
    return tests.map((test) => ({
      name: nameOf(name, test.fullName),
      reason: firstLine(test.failureMessages?.[0] ?? ""),
      rerun: rerunOf(name, test.fullName),
      test: { file: name, title: test.fullName },
    }));
  });
  const errors = report.unhandledErrors.map(({ message, path }) =>
    failureOf({ message, path: path && relative(root, path) }),
  );
  const failures = [...failed, ...errors];
  const files = report.testResults.map(({ name, startTime, endTime }) => ({
    path: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const passes = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed")
      .map(({ fullName }) => nameOf(relative(root, name), fullName)),
  );
  return { passed: report.numPassedTests, failed: failures.length, failures, passes, files };
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
  unhandledErrors: z.array(z.object({ message: z.string(), path: z.string().optional() })),
});

/** Reads playwright's JSON report. */
export function readPlaywrightReport(path: string): Report {
  const { stats, suites, errors } = playwrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  const specs = suites.flatMap(specsOf);
  const tests = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, ...test }) => {
      const file = `tests/e2e/${spec.file}`;
      return { ...test, file, title: spec.title, name: nameOf(`[${projectName}] ${file}`, spec.title) };
    }),
  );
  const failed = tests
    .filter(({ status }) => status === "unexpected" || status === "flaky")
    .map(({ file, title, name, results }) => ({
      name,
      reason: firstLine(results.find(({ error }) => error)?.error?.message ?? ""),
      rerun: rerunOf(file, title),
      test: { file, title },
    }));
  const failures = [...failed, ...errors.map(failureOf)];
  const seconds = new Map<string, number>();
  for (const { file, results } of tests) {
    for (const { duration } of results) seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000);
  }
  return {
    passed: stats.expected,
    failed: failures.length,
    failures,
    passes: tests.filter(({ status }) => status === "expected").map(({ name }) => name),
    files: [...seconds].map(([path, duration]) => ({ path, seconds: duration })),
  };
}

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.string(),
      results: z.array(
        z.object({ duration: z.number(), error: z.object({ message: z.string().optional() }).optional() }),
      ),
    }),
  ),
});

type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: z.output<typeof playwrightSpec>[] };

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  suites: z.lazy(() => z.array(playwrightSuite)).optional(),
  specs: z.array(playwrightSpec).optional(),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number() }),
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })).default([]),
});

function specsOf({ suites = [], specs = [] }: PlaywrightSuite): z.output<typeof playwrightSpec>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function nameOf(place: string, title: string): string {
  return `${place} › ${title}`;
}

/** An error that belongs to no test. Vitest names the file that ran meanwhile. */
function failureOf({ message = "", path }: { message?: string | undefined; path?: string | undefined }): Failure {
  const reason = firstLine(message);
  return path
    ? {
        name: `${path}, outside of its tests`,
        reason,
        rerun: rerunOf(path),
        test: { file: path, title: undefined },
        isOutside: true,
      }
    : { name: "outside of all tests", reason, rerun: "npm test" };
}

function rerunOf(file: string, title?: string): string {
  return `npm test -- ${file}${title ? ` -t ${JSON.stringify(patternOf(title))}` : ""}`;
}

/** Returns a pattern that matches the title; what has a meaning in patterns, or for a shell, is left open. */
export function patternOf(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, ".");
}

/** Without the colors that a terminal would show. */
function firstLine(text: string): string {
  const plain = text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
  return (plain.split("\n").find((line) => line.trim()) ?? "").slice(0, 300);
}
