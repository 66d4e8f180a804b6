import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { drizzle } from "drizzle-orm/postgres-js";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { drawTokens } from "#app/domain/access/draw-tokens.server.ts";
import { lotSize } from "#app/web/rate-limits/budgets.ts";
import { type DrawLot, type Limiter, openLimiter } from "#app/web/rate-limits/limiter.ts";
import type { Database } from "#db/client.server.ts";
import { postgres } from "#db/driver.server.ts";
import * as schema from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";

const db = useDatabase();
const seconds = 60;
let count = 0;

/** Creates one limiter per pool, each as in its own process, with a clock that the test advances. */
function openProcesses(pools: Database[]) {
  count += 1;
  const bucket = `write:key:${count}`;
  const start = Date.parse("2026-11-20T12:00:00Z");
  let passedMs = 0;
  let draws = 0;
  const limiters = pools.map((pool) => {
    const clock = () => new Date(start + passedMs);
    const ctx = { db: pool, clock, entrypoint: "job", report: () => undefined } as const;
    const draw: DrawLot = (requested) => {
      draws += 1;
      return drawTokens(ctx, requested);
    };
    return openLimiter({ draw, now: () => passedMs, seconds });
  });
  return {
    bucket,
    limiters,
    draws: () => draws,
    pass: (milliseconds: number) => {
      passedMs += milliseconds;
    },
  };
}

async function countAllowed(limiter: Limiter | undefined, bucket: string, quota: number, requests: number) {
  const verdicts = await Promise.all(Array.from({ length: requests }, () => limiter?.spend(bucket, quota)));
  return verdicts.filter((verdict) => verdict?.outcome === "allowed").length;
}

function secondPool(): Database {
  const driver = postgres(db.url(), { max: 5 });
  onTestFinished(() => driver.end());
  return drizzle(driver, { schema });
}

test("one process spends exactly the quota, and most requests do not query the database", async () => {
  const { limiters, bucket, draws } = openProcesses([db()]);
  expect(await countAllowed(limiters[0], bucket, 600, 60)).toBe(60);
  expect(draws()).toBe(0);
  expect(await countAllowed(limiters[0], bucket, 600, 1_000)).toBe(540);
  expect(draws()).toBeLessThanOrEqual(10);
  expect(await limiters[0]?.spend(bucket, 600)).toMatchObject({ outcome: "refused", left: 0 });
  expect(draws()).toBeLessThanOrEqual(10);
});

test("two processes on two pools at the same time spend the quota and at most a tenth more", async () => {
  const { limiters, bucket } = openProcesses([db(), secondPool()]);
  const allowed = await Promise.all(limiters.map((limiter) => countAllowed(limiter, bucket, 600, 900)));
  expect(allowed[0] ?? 0).toBeGreaterThanOrEqual(60);
  expect(allowed[1] ?? 0).toBeGreaterThanOrEqual(60);
  const total = (allowed[0] ?? 0) + (allowed[1] ?? 0);
  expect(total).toBeGreaterThanOrEqual(600);
  expect(total).toBeLessThanOrEqual(660);
});

test("for any requests of any processes over time, they stay within the budget and their lots", async () => {
  const pools = [db(), db(), secondPool()];
  const step = fc.record({ of: fc.nat(2), requests: fc.integer({ min: 1, max: 80 }), passMs: fc.nat(20_000) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.array(step, { maxLength: 12 }), async (quota, steps) => {
      const { limiters, bucket, pass } = openProcesses(pools);
      let [allowed, passedMs] = [0, 0];
      for (const { of, requests, passMs } of steps) {
        pass(passMs);
        passedMs += passMs;
        allowed += await countAllowed(limiters[of], bucket, quota, requests);
        const lot = lotSize(quota);
        const refills = 1 + passedMs / (seconds * 1_000);
        // The shared nine tenths, each process's own tenth, and a tolerance for rounding.
        expect(allowed).toBeLessThanOrEqual((quota - lot + pools.length * lot) * refills + 0.01);
      }
    }),
    { numRuns: 40 },
  );
});

test("an empty budget refills within a minute, and Retry-After is long enough", async () => {
  const { limiters, bucket, pass } = openProcesses([db()]);
  await countAllowed(limiters[0], bucket, 100, 200);
  for (let round = 0; round < 5; round += 1) {
    const rejected = await limiters[0]?.spend(bucket, 100);
    expect(rejected).toMatchObject({ outcome: "refused" });
    expect(limiters[0]?.emptyMs(bucket)).toBe(rejected?.waitMs);
    pass(Math.ceil(rejected?.waitMs ?? 0));
    expect(limiters[0]?.emptyMs(bucket)).toBe(0);
    expect(await countAllowed(limiters[0], bucket, 100, 100)).toBeGreaterThan(0);
  }
  pass(120_000);
  expect(await countAllowed(limiters[0], bucket, 100, 200)).toBe(100);
});

test("an unreachable database is queried once a second, and nobody is rejected for it", async () => {
  let now = 0;
  const draw = vi.fn(() => Promise.reject(new Error("ECONNREFUSED")));
  const limiter = openLimiter({ draw, now: () => now, seconds });
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => limiter.spend("read:key:1", 100)));
  const outcomes = verdicts.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === "allowed")).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(40);
  expect(limiter.emptyMs("read:key:1")).toBe(0);
  expect(draw).toHaveBeenCalledTimes(1);
  now += 1_000;
  await Promise.all(Array.from({ length: 50 }, () => limiter.spend("read:key:1", 100)));
  expect(draw).toHaveBeenCalledTimes(2);
});

test("an unresponsive database delays a request by a second at most", async () => {
  const limiter = openLimiter({ draw: () => new Promise(() => undefined), now: () => performance.now(), seconds });
  await Promise.all(Array.from({ length: 10 }, () => limiter.spend("read:key:1", 100)));
  const begin = performance.now();
  expect(await limiter.spend("read:key:1", 100)).toMatchObject({ outcome: "unknown" });
  expect(performance.now() - begin).toBeLessThan(20_000);
});

test("a request that may wait does so for a slow database, and is not rejected", async () => {
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    return { drawn: 10, left: 80, waitMs: 0 };
  };
  const limiter = openLimiter({ draw: slow, now: () => performance.now(), seconds });
  await Promise.all(Array.from({ length: 10 }, () => limiter.spend("write:key:1", 100)));
  const [patient, impatient] = await Promise.all([
    limiter.spend("write:key:1", 100, { waitsForDatabase: true }),
    limiter.spend("write:key:1", 100),
  ]);
  expect([patient.outcome, impatient.outcome]).toEqual(["allowed", "unknown"]);
  expect(await limiter.spend("write:key:1", 100)).toMatchObject({ outcome: "allowed" });
});

test("budgets are separate", async () => {
  const { limiters, bucket } = openProcesses([db()]);
  expect(await countAllowed(limiters[0], bucket, 20, 100)).toBe(20);
  expect(await countAllowed(limiters[0], `${bucket}-other`, 20, 100)).toBe(20);
});

test("a flood of clients does not fill the memory", () => {
  const limiter = openLimiter({ draw: () => Promise.reject(new Error("not asked")), now: () => 0, seconds });
  const before = heapInUse();
  for (let count = 0; count < 120_000; count += 1) limiter.spend(`page:address:${count}`, 600);
  expect(heapInUse() - before).toBeLessThan(30 * 1024 * 1024);
});

/** Returns the used heap in bytes after a garbage collection, because other test files ran in this process before. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
