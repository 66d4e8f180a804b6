import { afterEach, expect, test, vi } from "vitest";
import { keepBeating, silentSince } from "#app/domain/heartbeat.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("work says that it goes on, also after it could not say so once, until it ends", async () => {
  vi.useFakeTimers();
  const said: number[] = [];
  const reported: unknown[] = [];
  const report = (error: unknown, facts: object) => void reported.push([error, facts]);
  const ctx = { actor: { kind: "job", name: "test" }, report } as const;
  const lost = new Error("no connection");
  const stop = keepBeating(ctx, { work: "stage_import" }, async () => {
    said.push(Date.now());
    if (said.length <= 2 || said.length === 5) throw lost;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said.length).toBeGreaterThanOrEqual(10);
  const before = said.length;
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toHaveLength(before);
  const line = [lost, { work: "stage_import", step: "heartbeat", job: "test" }];
  expect(reported).toEqual([line, line]);
});

test("work may miss several beats before it is given up", () => {
  const now = new Date("2026-03-04T10:00:00Z");
  expect(silentSince(now)).toEqual(new Date("2026-03-04T09:59:00Z"));
});
