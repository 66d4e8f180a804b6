import { describe, expect, it } from "vitest";
import { forEachItem } from "#app/domain/for-each-item.ts";
import { readInParts } from "#app/domain/read-in-parts.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const named = { kind: "numbers", nameOf: (number: number) => `number ${number}` };

async function failWhere(isFailing: (number: number) => boolean, number: number): Promise<number> {
  if (isFailing(number)) throw new Error(`no ${number}`);
  return number;
}

describe("work for each item", () => {
  it("goes on after a failure, and fails in the end with the names and the errors", async () => {
    const worked: number[] = [];
    const run = forEachItem({}, numbers(5), {
      ...named,
      work: async (number) => {
        worked.push(number);
        return failWhere((one) => one % 2 === 0, number);
      },
    });
    await expect(run).rejects.toMatchObject({
      message: "failed for 2 of 5 numbers: number 2, number 4",
      errors: [new Error("no 2"), new Error("no 4")],
    });
    expect(worked).toEqual([1, 2, 3, 4, 5]);
  });

  it("names 20 of many failures, and has as many of their errors", async () => {
    const run = forEachItem({}, numbers(23), { ...named, work: (number) => failWhere(() => true, number) });
    const message = expect.stringMatching(/^failed for 23 of 23 numbers: number 1, .*, number 20 and 3 more$/);
    await expect(run).rejects.toMatchObject({ message, errors: { length: 20 } });
  });

  it("returns the sum of what was done, where true counts as 1", async () => {
    const all = { ...named, work: (number: number) => failWhere(() => false, number) };
    expect(await forEachItem({}, numbers(4), all)).toBe(10);
    expect(await forEachItem({}, numbers(4), { ...named, work: async (number) => number > 1 })).toBe(3);
  });

  it("ends when the process stops, and once enough was done", async () => {
    const stop = new AbortController();
    const stopAt3 = async (number: number) => {
      if (number === 3) stop.abort();
      return true;
    };
    expect(await forEachItem({ stopping: stop.signal }, numbers(9), { ...named, work: stopAt3 })).toBe(3);
    expect(await forEachItem({}, numbers(9), { ...named, work: async () => true, max: 2 })).toBe(2);
  });
});

it("a list that is read in parts is read to its end, and no further than needed", async () => {
  const asked: (number | undefined)[] = [];
  const parts = () =>
    readInParts<number>(async (after) => {
      asked.push(after);
      return numbers(5)
        .filter((number) => number > (after ?? 0))
        .slice(0, 2);
    });
  const read: number[] = [];
  for await (const number of parts()) read.push(number);
  expect(read).toEqual([1, 2, 3, 4, 5]);
  expect(asked.splice(0)).toEqual([undefined, 2, 4, 5]);
  for await (const number of parts()) if (number === 2) break;
  expect(asked).toEqual([undefined]);
});
