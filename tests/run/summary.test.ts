import { beforeEach, expect, test, vi } from "vitest";
import type { Failure } from "./reports.ts";
import { Summary } from "./summary.ts";

const lines: string[] = [];

beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  return () => vi.restoreAllMocks();
});

const failureOf = (title: string, reason = "Error: timeout"): Failure => ({
  name: `tests/some.test.ts › ${title}`,
  reason,
  rerun: `npm test -- tests/some.test.ts -t ${title}`,
  test: { file: "tests/some.test.ts", title },
});

const errorOutside: Failure = { name: "outside of all tests", reason: "Error: unhandled", rerun: "npm test" };

/** Runs a part in which ten tests pass and `first` fail; in its repetition, `second` fail. */
async function runPart({ first, second }: { first: Failure[]; second: Failure[] }) {
  const repeat = vi.fn(async (failed: Failure[]) => reportOf(failed.length - second.length, second));
  const summary = new Summary();
  const run = async () => first.length === 0;
  await summary.suite("browser", { run, read: () => reportOf(10, first), repeat });
  const code = summary.print();
  return { code, repeat, printed: lines.join("\n") };
}

const reportOf = (passed: number, failures: Failure[]) => ({ passed, failed: failures.length, failures, files: [] });

test("a test that passes when it is repeated counts as passed, and is named", async () => {
  const { code, printed } = await runPart({ first: [failureOf("a"), failureOf("b")], second: [] });
  expect(code).toBe(0);
  expect(printed).toContain("unsteady, passed only when repeated: tests/some.test.ts › a");
  expect(printed).toContain("2 of these passed only when repeated:");
  expect(lines.at(-1)).toBe("\n12 passed, 0 failed");
});

test("a test that fails again has failed", async () => {
  const { code, printed } = await runPart({ first: [failureOf("a"), failureOf("b")], second: [failureOf("b")] });
  expect(code).toBe(1);
  expect(printed).toContain("failed: tests/some.test.ts › b");
  expect(lines.at(-1)).toBe("\n11 passed, 1 failed");
});

test("a repetition in which a test is missing proves nothing", async () => {
  const summary = new Summary();
  await summary.suite("browser", {
    run: async () => false,
    read: () => reportOf(10, [failureOf("a")]),
    repeat: async () => reportOf(0, []),
  });
  expect(summary.print()).toBe(1);
});

test("a repetition with an error outside of all tests proves nothing", async () => {
  const { code, printed } = await runPart({ first: [failureOf("a")], second: [errorOutside] });
  expect(code).toBe(1);
  expect(printed).toContain("failed: tests/some.test.ts › a");
});

test("a repetition in which a test fails that had passed proves nothing", async () => {
  const { code, printed } = await runPart({ first: [failureOf("a"), failureOf("b")], second: [failureOf("c")] });
  expect(code).toBe(1);
  expect(printed).toContain("failed: tests/some.test.ts › a");
  expect(printed).not.toContain("unsteady");
});

test.each([
  ["a counterexample of a property", [failureOf("a", "Error: Property failed after 3 tests")]],
  ["a file that fails as a whole", [{ ...failureOf("a"), test: { file: "tests/some.test.ts", title: undefined } }]],
  ["a test beside an error outside of all tests", [failureOf("a"), errorOutside]],
  ["more failures than three", ["a", "b", "c", "d"].map((title) => failureOf(title))],
])("%s is not repeated", async (_, first) => {
  const { code, repeat } = await runPart({ first, second: [] });
  expect(repeat).not.toHaveBeenCalled();
  expect(code).toBe(1);
});
