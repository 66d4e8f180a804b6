import type { Failure, Outcome, Report } from "./reports.ts";

type Part = Outcome & { name: string; seconds: number; unsteady?: Failure[] };

/** A part with more failures than this is broken, and is not repeated. */
const maxRepeated = 3;

/** Collects the results of a run's parts, and prints them at the end. */
export class Summary {
  readonly #parts: Part[] = [];
  readonly #files: { path: string; seconds: number }[] = [];
  readonly #since = Date.now();

  /** A part that counts as one: it fails when `work` throws. */
  async check(name: string, work: () => unknown): Promise<void> {
    const since = Date.now();
    const failures: Failure[] = [];
    try {
      await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      console.error(`\n— ${name} failed\n${text}`);
      failures.push({ name, reason: text.split("\n", 1)[0] ?? "", rerun: "npm run check" });
    }
    this.#add(name, since, { passed: 1 - failures.length, failed: failures.length, failures });
  }

  /** Several such parts side by side, `atOnce` of them at a time, started in their order. */
  async sideBySide(atOnce: number, checks: (readonly [name: string, work: () => unknown])[]): Promise<void> {
    const waiting = checks.values();
    const lanes = Array.from({ length: atOnce }, async () => {
      for (const [name, work] of waiting) await this.check(name, work);
    });
    await Promise.all(lanes);
  }

  /**
   * A part of many tests. One that ends badly has failed, whatever its report says, or if it left none. With `repeat`,
   * a few failed tests run again alone; one that passes then counts as passed and is printed as unsteady, unless
   * another one fails meanwhile. Nothing is repeated after a counterexample that a property found, since the next run
   * would draw other values, nor after an error outside of all files. An error outside of a file's tests is no check:
   * it counts as failed unless the file passes when it is repeated, and never as passed.
   */
  async suite(
    name: string,
    {
      run,
      read,
      repeat,
    }: { run: () => Promise<boolean>; read: () => Report; repeat?: (failed: Failure[]) => Promise<Report | undefined> },
  ): Promise<void> {
    console.info(`\n— ${name}`);
    const since = Date.now();
    const endedWell = await run();
    try {
      const { files, passes: _, ...outcome } = read();
      const unnamed = !endedWell && outcome.failed === 0;
      const ended = { name, reason: "it ended badly, though no test failed", rerun: "npm test" };
      this.#files.push(...files);
      if (unnamed) this.#add(name, since, { ...outcome, failed: 1, failures: [ended] });
      else this.#add(name, since, repeat ? await withRepetition(outcome, repeat) : outcome);
    } catch (error) {
      console.error(`${name}: no report`, error);
      const failures = [{ name, reason: "it left no report", rerun: "npm test" }];
      this.#add(name, since, { passed: 0, failed: 1, failures });
    }
  }

  /** Prints the times, the failures and, as the last line, the counts. Returns the exit code. */
  print(): 0 | 1 {
    const sum = (count: (part: Part) => number) => this.#parts.reduce((total, part) => total + count(part), 0);
    const [passed, failed] = [sum((part) => part.passed), sum((part) => part.failed)];
    const slowest = this.#files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 15);
    console.info("\n  seconds   checks  part");
    for (const part of this.#parts) {
      console.info(`${inSeconds(part.seconds)} ${String(part.passed + part.failed).padStart(8)}  ${part.name}`);
    }
    console.info(`${inSeconds((Date.now() - this.#since) / 1000)} ${String(passed + failed).padStart(8)}  all`);
    console.info("\n  seconds  slowest files");
    for (const { path, seconds } of slowest) console.info(`${inSeconds(seconds)}  ${path}`);
    for (const { name, reason, rerun } of this.#parts.flatMap(({ failures }) => failures)) {
      console.info(`\nfailed: ${name}\n  ${reason}\n  alone: ${rerun}`);
    }
    const unsteady = this.#parts.flatMap((part) => part.unsteady ?? []);
    for (const { name, reason, rerun } of unsteady) {
      console.info(`\nunsteady, passed only when repeated: ${name}\n  ${reason}\n  alone: ${rerun}`);
    }
    if (unsteady.length > 0) console.info(`\n${unsteady.length} of these passed only when repeated:`);
    console.info(`\n${passed} passed, ${failed} failed`);
    return failed > 0 ? 1 : 0;
  }

  #add(name: string, since: number, outcome: Omit<Part, "name" | "seconds">): void {
    this.#parts.push({ ...outcome, name, seconds: (Date.now() - since) / 1000 });
  }
}

async function withRepetition(
  outcome: Outcome,
  repeat: (failed: Failure[]) => Promise<Report | undefined>,
): Promise<Omit<Part, "name" | "seconds">> {
  const isRepeatable = ({ test, reason, isOutside }: Failure) =>
    test !== undefined && (test.title !== undefined || isOutside) && !reason.includes("Property failed");
  const { failures, passed, failed } = outcome;
  if (failures.length === 0 || failures.length > maxRepeated || !failures.every(isRepeatable)) return outcome;
  console.info("\n— again, alone, what failed");
  const again = await repeat(failures);
  const names = new Set(failures.map(({ name }) => name));
  const isOfThem = again?.failures.every(({ name }) => names.has(name));
  if (!again || !isOfThem) return outcome;
  const failedAgain = new Set(again.failures.map(({ name }) => name));
  const passes = new Set(again.passes);
  const hasPassed = ({ name, test, isOutside }: Failure) =>
    isOutside ? again.passes.some((passed) => passed.startsWith(`${test?.file} › `)) : passes.has(name);
  // One that was left out, as a later one of a file whose tests run in order, did not pass.
  const unsteady = failures.filter((failure) => hasPassed(failure) && !failedAgain.has(failure.name));
  return {
    passed: passed + unsteady.filter(({ isOutside }) => !isOutside).length,
    failed: failed - unsteady.length,
    failures: failures.filter((failure) => !unsteady.includes(failure)),
    unsteady,
  };
}

function inSeconds(seconds: number): string {
  return seconds.toFixed(1).padStart(9);
}
