import { expect, it } from "vitest";
import { takeToken } from "#app/domain/access/take-token.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { handClock, visitor } from "../accounts/people.ts";

useDatabase();
const tenInThreeMinutes = { capacity: 10, seconds: 180 };

it("gives ten at once, however many ask at the same time, and says when to come back", async () => {
  const ctx = visitor(handClock().now);
  const asked = await Promise.allSettled(
    Array.from({ length: 25 }, () => takeToken(ctx, { bucket: "together", ...tenInThreeMinutes })),
  );
  expect(asked.filter((one) => one.status === "fulfilled")).toHaveLength(10);
  for (const one of asked) {
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "rate_limited", retryAfterSeconds: 18 });
  }
});

it("fills again, one token each 18 seconds, and never beyond ten", async () => {
  const clock = handClock();
  const ctx = visitor(clock.now);
  const take = () => takeToken(ctx, { bucket: "refilled", ...tenInThreeMinutes });
  for (let count = 0; count < 10; count += 1) await take();
  clock.pass(17_000);
  await expect(take()).rejects.toMatchObject({ retryAfterSeconds: 1 });
  clock.pass(1_000);
  await take();
  await expect(take()).rejects.toMatchObject({ code: "rate_limited" });
  clock.pass(3_600_000);
  for (let count = 0; count < 10; count += 1) await take();
  await expect(take()).rejects.toMatchObject({ code: "rate_limited" });
});

it("keeps buckets apart", async () => {
  const ctx = visitor(handClock().now);
  await takeToken(ctx, { bucket: "one", capacity: 1, seconds: 60 });
  await takeToken(ctx, { bucket: "two", capacity: 1, seconds: 60 });
  await expect(takeToken(ctx, { bucket: "one", capacity: 1, seconds: 60 })).rejects.toMatchObject({
    retryAfterSeconds: 60,
  });
});
