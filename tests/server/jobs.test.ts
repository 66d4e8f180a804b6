import { syncBuiltinESMExports } from "node:module";
import timers, { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { forEachItem } from "#app/domain/for-each-item.ts";
import { startJobs } from "#server/jobs/jobs.ts";
import { useDatabase } from "#tests/support/database/database.ts";

/** Milliseconds of each sleep since the test began. */
const sleeps: number[] = [];
beforeEach(() => {
  const real = timers.setTimeout;
  vi.spyOn(timers, "setTimeout").mockImplementation((...args) => {
    sleeps.push(args[0] ?? 0);
    return real(...args);
  });
  // For modules that have imported it by name.
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  sleeps.length = 0;
});

const db = useDatabase();
const warnings: string[] = [];
const note = (warning: Error) => warnings.push(warning.name);
process.on("warning", note);
afterEach(() => {
  process.off("warning", note);
});

test("a job runs repeatedly, leaves no listener behind, and stops at once", async () => {
  let runs = 0;
  const count = async () => {
    runs += 1;
    return 0;
  };
  const stop = startJobs([{ name: "count", everySeconds: 0.002, run: count }], {
    db: db(),
    clock: () => new Date(),
  });
  while (runs < 30) await sleep(5);
  const before = Date.now();
  await stop();
  expect(Date.now() - before).toBeLessThan(10_000);
  const after = runs;
  await sleep(30);
  expect(runs).toBe(after);
  expect(warnings).toEqual([]);
});

test("a stop ends the wait for the next run", async () => {
  const stop = startJobs([{ name: "rare", everySeconds: 3_600, run: async () => 0 }], {
    db: db(),
    clock: () => new Date(),
  });
  await sleep(50);
  const before = Date.now();
  await stop();
  expect(Date.now() - before).toBeLessThan(10_000);
});

test("a stop tells a running job, which ends after its current step", async () => {
  let steps = 0;
  const work = async ({ stopping }: Ctx<JobActor>) => {
    while (!stopping?.aborted) {
      steps += 1;
      await sleep(20);
    }
    return steps;
  };
  const stop = startJobs([{ name: "long", everySeconds: 3_600, run: work }], { db: db(), clock: () => new Date() });
  while (steps < 3) await sleep(5);
  const before = Date.now();
  await stop();
  expect(Date.now() - before).toBeLessThan(10_000);
});

test("a job that runs each hour is postponed by a minute while others have locked what it needs", async () => {
  await db().transaction(async (tx) => {
    await tx.execute(sql`lock table mails`);
    const results: string[] = [];
    const lock = async ({ db }: Ctx<JobActor>) => {
      await db.execute(sql`lock table mails nowait`);
      return 0;
    };
    const stop = startJobs([{ name: "locks", everySeconds: 3_600, run: lock }], {
      db: db(),
      clock: () => new Date(),
      onRun: ({ result }) => results.push(result),
    });
    await expect.poll(() => sleeps).toContain(60_000);
    await stop();
    expect(results).toEqual(["postponed"]);
    expect(sleeps).not.toContain(3_600_000);
  });
});

test.each([
  { others: "blocked too", result: "postponed" },
  { others: "faulty", result: "failure" },
])(
  "a job of many accounts, one of which is blocked and the others are $others, is a $result",
  async ({ others, result }) => {
    await db().transaction(async (tx) => {
      await tx.execute(sql`lock table mails`);
      const results: string[] = [];
      const work = ({ db, ...ctx }: Ctx<JobActor>) =>
        forEachItem(ctx, ["a", "b", "c"], {
          kind: "accounts",
          nameOf: (id) => id,
          work: async (id) => {
            if (id !== "a" && others === "faulty") throw new Error("faulty");
            await db.execute(sql`lock table mails nowait`);
            return true;
          },
        });
      const stop = startJobs([{ name: "locks", everySeconds: 3_600, run: work }], {
        db: db(),
        clock: () => new Date(),
        onRun: (run) => results.push(run.result),
      });
      await expect.poll(() => sleeps).toContain(result === "postponed" ? 60_000 : 3_600_000);
      await stop();
      expect(results).toEqual([result]);
    });
  },
);
