import { expect, it } from "vitest";
import { consumeRateLimit } from "#app/domain/access/consume-rate-limit.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createManualClock, visitor } from "../accounts/people.ts";

useDatabase();
const tenInThreeMinutes = { capacity: 10, seconds: 180 };

it("allows ten at once, however many concurrent requests there are, and returns the wait", async () => {
  const ctx = visitor(createManualClock().now);
  const asked = await Promise.allSettled(
    Array.from({ length: 25 }, () => consumeRateLimit(ctx, { bucket: "together", ...tenInThreeMinutes })),
  );
  expect(asked.filter((one) => one.status === "fulfilled")).toHaveLength(10);
  for (const one of asked) {
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "rate_limited", retryAfterSeconds: 18 });
  }
});

it("refills one token every 18 seconds, up to ten", async () => {
  const clock = createManualClock();
  const ctx = visitor(clock.now);
  const consumeToken = () => consumeRateLimit(ctx, { bucket: "refilled", ...tenInThreeMinutes });
  for (let count = 0; count < 10; count += 1) await consumeToken();
  clock.pass(17_000);
  await expect(consumeToken()).rejects.toMatchObject({ retryAfterSeconds: 1 });
  clock.pass(1_000);
  await consumeToken();
  await expect(consumeToken()).rejects.toMatchObject({ code: "rate_limited" });
  clock.pass(3_600_000);
  for (let count = 0; count < 10; count += 1) await consumeToken();
  await expect(consumeToken()).rejects.toMatchObject({ code: "rate_limited" });
});

it("refills after a clock that was an hour fast is set right", async () => {
  const clock = createManualClock();
  const ctx = visitor(clock.now);
  const consumeToken = () => consumeRateLimit(ctx, { bucket: "fast", ...tenInThreeMinutes });
  clock.pass(3_600_000);
  for (let count = 0; count < 10; count += 1) await consumeToken();
  clock.pass(-3_600_000);
  await expect(consumeToken()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 18 });
  clock.pass(18_000);
  await consumeToken();
  await expect(consumeToken()).rejects.toMatchObject({ code: "rate_limited" });
});

it("does not refill for a process whose clock is a few seconds slow", async () => {
  const clock = createManualClock();
  const ctx = visitor(clock.now);
  const consumeToken = () => consumeRateLimit(ctx, { bucket: "slow", ...tenInThreeMinutes });
  for (let count = 0; count < 10; count += 1) await consumeToken();
  clock.pass(-20_000);
  await expect(consumeToken()).rejects.toMatchObject({ code: "rate_limited" });
  clock.pass(20_000);
  await expect(consumeToken()).rejects.toMatchObject({ code: "rate_limited" });
});

it("keeps buckets separate", async () => {
  const ctx = visitor(createManualClock().now);
  await consumeRateLimit(ctx, { bucket: "one", capacity: 1, seconds: 60 });
  await consumeRateLimit(ctx, { bucket: "two", capacity: 1, seconds: 60 });
  await expect(consumeRateLimit(ctx, { bucket: "one", capacity: 1, seconds: 60 })).rejects.toMatchObject({
    retryAfterSeconds: 60,
  });
});
