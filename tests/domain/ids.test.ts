import { expect, onTestFinished, test, vi } from "vitest";
import { idAboveAll, idsAround, lowestIdAt, newId, newIdBeside } from "#app/domain/ids.ts";

const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

test("ids are unique and in order, also within a millisecond", () => {
  const ids = Array.from({ length: 50_000 }, () => newId<never>() as string);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
});

test("a clock that is set back a little keeps the order, and one that was far ahead dates nothing after it", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const at = (time: number) => {
    vi.setSystemTime(time);
    return newId<never>() as string;
  };
  const now = Date.parse("2026-11-20T12:00:00Z");
  const first = at(now);
  const second = at(now - 9_000);
  expect(second > first).toBe(true);
  expect(timeOf(second)).toBe(now);
  expect(timeOf(at(now + 3_600_000))).toBe(now + 3_600_000);
  expect(timeOf(at(now + 5))).toBe(now + 5);
});

test("an id beside another one has its time and its place in the order, and is another id", () => {
  const ids = Array.from({ length: 1_000 }, () => newId<never>() as string);
  const beside = ids.map((id) => newIdBeside<never>(id as never) as string);
  expect(beside.map(timeOf)).toEqual(ids.map(timeOf));
  expect([...beside].sort()).toEqual(beside);
  expect(new Set([...ids, ...beside]).size).toBe(2_000);
  expect(beside.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
});

test("the lowest id of an instant divides those before from those after, and ids of a transaction are around each other", () => {
  const now = Date.parse("2026-11-30T23:59:59.999Z");
  const [before = "", after = ""] = [now, now + 1].map((time) => newIdBeside<never>(lowestIdAt<never>(time)) as string);
  const boundary = lowestIdAt<never>(now + 1) as string;
  expect([before < boundary, after >= boundary]).toEqual([true, true]);
  const around: { from: string; until: string } = idsAround<never>(before as never);
  expect([around.from < before, after < around.until]).toEqual([true, true]);
  expect(timeOf(around.until) - timeOf(around.from)).toBe(2 * 3_600_000);
  const [own, above] = [newId<never>() as string, idAboveAll<never>() as string];
  expect(own < above).toBe(true);
});
