import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { startJobs } from "#server/jobs/jobs.ts";
import { useDatabase } from "#tests/support/database/database.ts";

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
