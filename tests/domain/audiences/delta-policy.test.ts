import { expect, test } from "vitest";
import { countFolded, isMergeDue, maxDeltaHashes } from "#app/domain/audiences/members/delta-policy.ts";
import type { Delta } from "#app/domain/audiences/members/deltas.ts";

const delta = (hashes: number, removedSince: string | null = null): Delta => ({ generation: 1, hashes, removedSince });

test("an audience never has more than four deltas, and a hash is written again few times", () => {
  const perChange = 1_000;
  let list: Delta[] = [];
  let written = 0;
  const changes = maxDeltaHashes(1_000_000) / perChange;
  for (let change = 0; change < changes; change += 1) {
    const kept = list.slice(0, list.length - countFolded(list, perChange));
    const hashes = list.slice(kept.length).reduce((sum, one) => sum + one.hashes, perChange);
    written += hashes;
    list = [...kept, delta(hashes)];
    expect(list.length).toBeLessThanOrEqual(4);
  }
  expect(list.reduce((sum, one) => sum + one.hashes, 0)).toBe(changes * perChange);
  expect(written / (changes * perChange)).toBeLessThan(5);
});

test("deltas are merged into the base when they are an eighth of it, or hide removed people for a month", () => {
  const now = new Date("2026-11-26T12:00:00Z");
  const due = (...list: Delta[]) => isMergeDue({ version: 1, baseHashes: 80_000, list }, now);
  expect(due(delta(6_000), delta(4_000))).toBe(false);
  expect(due(delta(6_000), delta(4_001))).toBe(true);
  expect(due(delta(1, "2026-10-27T13:00:00Z"))).toBe(false);
  expect(due(delta(1, "2026-10-27T11:00:00Z"))).toBe(true);
  expect(maxDeltaHashes(100_000_000)).toBe(524_288);
});
