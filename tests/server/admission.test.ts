import { EventEmitter } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openAdmission, openTransfers } from "#server/http/admission.ts";

/**
 * Simulates a server that handles one request after another in `serviceMs` each, at `perSecond` requests for
 * `seconds`.
 */
function simulate({ serviceMs, perSecond, seconds }: { serviceMs: number; perSecond: number; seconds: number }) {
  let now = 0;
  const admission = openAdmission(() => now);
  const queue: number[] = [];
  const waits: number[] = [];
  let [busyUntil, rejected, completed] = [0, 0, 0];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const arrival = (n * 1_000) / perSecond;
    for (let done = queue[0]; done !== undefined && done <= arrival; done = queue[0]) {
      now = done;
      queue.shift();
      admission.leave();
      completed += 1;
    }
    now = arrival;
    if (!admission.enter()) {
      rejected += 1;
      continue;
    }
    busyUntil = Math.max(busyUntil, arrival) + serviceMs;
    queue.push(busyUntil);
    if (arrival > 5_000) waits.push(busyUntil - arrival);
  }
  return { rejected, completed, maxLatencyMs: Math.max(0, ...waits) };
}

test("at any capacity, overload keeps the server busy, and admitted requests wait little longer than the target", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 80 }), fc.integer({ min: 2, max: 6 }), (serviceMs, times) => {
      const capacity = 1_000 / serviceMs;
      const { rejected, completed, maxLatencyMs } = simulate({ serviceMs, perSecond: times * capacity, seconds: 15 });
      expect(rejected).toBeGreaterThan(0);
      expect(completed).toBeGreaterThan(0.9 * capacity * 14);
      expect(maxLatencyMs).toBeLessThan(1_300);
    }),
    { numRuns: 40 },
  );
});

test("below its capacity nothing is rejected", () => {
  for (const serviceMs of [2, 10, 50]) {
    const { rejected } = simulate({ serviceMs, perSecond: 0.9 * (1_000 / serviceMs), seconds: 10 });
    expect(rejected).toBe(0);
  }
});

test("files in their first seconds are admitted up to the current limit", () => {
  let allowed = 4;
  const { enter, fresh } = openTransfers(() => allowed);
  const begin = () => {
    const response = Object.assign(new EventEmitter(), { headersSent: false });
    return { response, isAdmitted: enter({ complete: false }, response) };
  };
  const admitted = [begin(), begin(), begin(), begin()];
  expect(admitted.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, true, true]);
  expect(begin().isAdmitted).toBe(false);
  admitted[0]?.response.emit("close");
  const next = begin();
  expect(next.isAdmitted).toBe(true);
  allowed = 2;
  admitted[1]?.response.emit("close");
  expect(begin().isAdmitted).toBe(false);
  expect(fresh()).toBe(3);
  for (const { response } of [...admitted.slice(2), next]) response.emit("close");
});

test("other requests get a share of the admitted ones", () => {
  const admission = openAdmission(() => 0);
  const places = admission.limit();
  let admitted = 0;
  while (admission.enter(10)) admitted += 1;
  expect(admitted).toBe(places - 10);
  expect(admission.enter()).toBe(true);
});
