import fc from "fast-check";
import { expect, test } from "vitest";
import { openAdmission } from "#server/admission.ts";

/** A server that answers one request after another, `serviceMs` each, and is asked `perSecond` times for `seconds`. */
function simulate({ serviceMs, perSecond, seconds }: { serviceMs: number; perSecond: number; seconds: number }) {
  let now = 0;
  const admission = openAdmission(() => now);
  const queue: number[] = [];
  const waits: number[] = [];
  let [busyUntil, refused, answered] = [0, 0, 0];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const arrival = (n * 1_000) / perSecond;
    for (let done = queue[0]; done !== undefined && done <= arrival; done = queue[0]) {
      now = done;
      queue.shift();
      admission.leave();
      answered += 1;
    }
    now = arrival;
    if (!admission.enter()) {
      refused += 1;
      continue;
    }
    busyUntil = Math.max(busyUntil, arrival) + serviceMs;
    queue.push(busyUntil);
    if (arrival > 5_000) waits.push(busyUntil - arrival);
  }
  return { refused, answered, slowest: Math.max(0, ...waits), limit: admission.limit() };
}

test("whatever the server can do: overload keeps it busy, and who is admitted waits little over the target", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 80 }), fc.integer({ min: 2, max: 6 }), (serviceMs, times) => {
      const capacity = 1_000 / serviceMs;
      const { refused, answered, slowest } = simulate({ serviceMs, perSecond: times * capacity, seconds: 15 });
      expect(refused).toBeGreaterThan(0);
      expect(answered).toBeGreaterThan(0.9 * capacity * 14);
      expect(slowest).toBeLessThan(1_300);
    }),
    { numRuns: 40 },
  );
});

test("below what the server can do nothing is refused", () => {
  for (const serviceMs of [2, 10, 50]) {
    const { refused } = simulate({ serviceMs, perSecond: 0.9 * (1_000 / serviceMs), seconds: 10 });
    expect(refused).toBe(0);
  }
});
