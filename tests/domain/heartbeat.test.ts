import { afterEach, expect, test, vi } from "vitest";
import { staleBefore, startHeartbeat } from "#app/domain/heartbeat.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("work sends heartbeats until it ends, also after one of them failed", async () => {
  vi.useFakeTimers();
  const reportedAt: number[] = [];
  const reported: unknown[] = [];
  const report = (error: unknown, facts: object) => void reported.push([error, facts]);
  const ctx = { actor: { kind: "job", name: "test" }, report } as const;
  const lost = new Error("no connection");
  const stop = startHeartbeat(ctx, { work: "stage_import" }, async () => {
    reportedAt.push(Date.now());
    if (reportedAt.length <= 2 || reportedAt.length === 5) throw lost;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reportedAt.length).toBeGreaterThanOrEqual(10);
  const before = reportedAt.length;
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reportedAt).toHaveLength(before);
  const line = [lost, { work: "stage_import", step: "heartbeat", job: "test" }];
  expect(reported).toEqual([line, line]);
});

test("work may miss several heartbeats before it counts as stale", () => {
  const now = new Date("2026-03-04T10:00:00Z");
  expect(staleBefore(now)).toEqual(new Date("2026-03-04T09:59:00Z"));
});
