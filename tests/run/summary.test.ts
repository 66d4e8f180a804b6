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

const errorOutsideTests: Failure = {
  name: "tests/other.test.ts, outside of its tests",
  reason: "Error: unhandled",
  rerun: "npm test -- tests/other.test.ts",
  test: { file: "tests/other.test.ts", title: undefined },
  isOutside: true,
};

/** Runs a part in which ten tests pass and `first` fail; in its repetition, `second` fail and `skipped` do not run. */
async function runPart({ first, second, skipped = [] }: { first: Failure[]; second: Failure[]; skipped?: Failure[] }) {
  const repeat = vi.fn(async (failed: Failure[]) => {
    const left = new Set([...second, ...skipped].map(({ name }) => name));
    return reportOf(
      failed
        .filter(({ name }) => !left.has(name))
        .flatMap(({ name, test, isOutside }) =>
          isOutside ? tenTests.filter((one) => one.startsWith(test?.file ?? "")) : name,
        ),
      second,
    );
  });
  const summary = new Summary();
  const run = async () => first.length === 0;
  await summary.suite("browser", { run, read: () => reportOf(tenTests, first), repeat });
  const code = summary.print();
  return { code, repeat, printed: lines.join("\n") };
}

const tenTests = Array.from({ length: 10 }, (_, index) => `tests/other.test.ts › ${index}`);

const reportOf = (passes: string[], failures: Failure[]) => ({
  passed: passes.length,
  failed: failures.length,
  failures,
  passes,
  files: [],
});

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

test("a test that is left out when others are repeated has failed", async () => {
  const { code, printed } = await runPart({
    first: [failureOf("a"), failureOf("b")],
    second: [],
    skipped: [failureOf("b")],
  });
  expect(code).toBe(1);
  expect(printed).toContain("unsteady, passed only when repeated: tests/some.test.ts › a");
  expect(printed).toContain("failed: tests/some.test.ts › b");
  expect(lines.at(-1)).toBe("\n11 passed, 1 failed");
});

test("an error outside of a file's tests is unsteady if the file passes when it is repeated, and no check", async () => {
  const { code, printed } = await runPart({ first: [errorOutsideTests, failureOf("a")], second: [] });
  expect(code).toBe(0);
  expect(printed).toContain("unsteady, passed only when repeated: tests/other.test.ts, outside of its tests");
  expect(lines.at(-1)).toBe("\n11 passed, 0 failed");
});

test.each([
  ["happens again", { second: [errorOutsideTests] }],
  ["is of a file that does not run again", { second: [], skipped: [errorOutsideTests] }],
])("an error outside of a file's tests that %s has failed", async (_, repetition) => {
  const { code, printed } = await runPart({ first: [errorOutsideTests], ...repetition });
  expect(code).toBe(1);
  expect(printed).toContain("failed: tests/other.test.ts, outside of its tests");
  expect(lines.at(-1)).toBe("\n10 passed, 1 failed");
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
