import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPlaywrightReport, readVitestReport } from "./reports.ts";
import { binary } from "./run-command.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "endcap-reports-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs vitest on these files as `npm test` does, and reads its report. */
function runVitest(files: Record<string, string>) {
  const folder = temporaryFolder();
  const report = join(folder, "report.json");
  writeFileSync(join(folder, "vitest.config.mjs"), "export default { test: { globals: true } };");
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const reporter = join(import.meta.dirname, "json-report.ts");
  const { status, stderr } = spawnSync(
    binary("vitest"),
    ["run", "--root", folder, `--reporter=${reporter}`, `--outputFile.json=${report}`],
    { env: { NODE_ENV: "test", PATH: process.env.PATH }, encoding: "utf8" },
  );
  expect(stderr).not.toContain("Failed to load");
  return { status, ...readVitestReport(report) };
}

test("vitest's failures are tests, files that fail as a whole, and errors outside of all tests", () => {
  const { status, passed, failed, failures } = runVitest({
    "a.test.mjs": 'test("passes", () => {}); test("fails", () => { throw new Error("wrong"); });',
    "b.test.mjs": 'beforeAll(() => { throw new Error("no start"); }); test("does not run", () => {});',
    "c.test.mjs": 'test("leaves a rejection", () => void Promise.reject(new Error("nobody handles this")));',
  });
  expect({ status, passed, failed }).toEqual({ status: 1, passed: 2, failed: 3 });
  expect(failures.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
    {
      name: expect.stringMatching(/a\.test\.mjs › fails$/),
      reason: "Error: wrong",
      rerun: expect.stringMatching(/a\.test\.mjs -t "fails"$/),
      test: { file: expect.stringMatching(/a\.test\.mjs$/), title: "fails" },
    },
    {
      name: expect.stringMatching(/b\.test\.mjs$/),
      reason: "no start",
      rerun: expect.stringMatching(/b\.test\.mjs$/),
      test: { file: expect.stringMatching(/b\.test\.mjs$/), title: undefined },
    },
    {
      name: expect.stringMatching(/c\.test\.mjs, outside of its tests$/),
      reason: "nobody handles this",
      rerun: expect.stringMatching(/c\.test\.mjs$/),
      test: { file: expect.stringMatching(/c\.test\.mjs$/), title: undefined },
      isOutside: true,
    },
  ]);
});

test("playwright's failures are tests, also those that pass at last, and errors outside of all tests", () => {
  const path = join(temporaryFolder(), "report.json");
  const specOf = (title: string, status: string) => {
    const results = [{ duration: 500, error: status === "expected" ? undefined : { message: "too late" } }];
    return { title, file: "some.test.ts", tests: [{ projectName: "script", status, results }] };
  };
  const specs = [specOf("passes", "expected"), specOf("fails", "unexpected"), specOf("passes at last", "flaky")];
  const errors = [{ message: "no browser" }];
  writeFileSync(path, JSON.stringify({ stats: { expected: 1 }, suites: [{ suites: [{ specs }] }], errors }));
  const { passed, failed, failures, files } = readPlaywrightReport(path);
  expect({ passed, failed, files }).toEqual({
    passed: 1,
    failed: 3,
    files: [{ path: "tests/e2e/some.test.ts", seconds: 1.5 }],
  });
  expect(failures.map(({ name, reason, test: one }) => ({ name, reason, title: one?.title }))).toEqual([
    { name: "[script] tests/e2e/some.test.ts › fails", reason: "too late", title: "fails" },
    { name: "[script] tests/e2e/some.test.ts › passes at last", reason: "too late", title: "passes at last" },
    { name: "outside of all tests", reason: "no browser", title: undefined },
  ]);
});
