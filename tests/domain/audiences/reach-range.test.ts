import fc from "fast-check";
import { expect, test } from "vitest";
import { minimumAudienceSize, nextStep, roundedSize } from "#app/domain/audiences/audience.ts";
import { intersectPeople, peopleAtLevel, requiredLevel, unite } from "#app/domain/audiences/snapshots/people-sample.ts";
import { type ReachPart, reachRange } from "#app/domain/audiences/snapshots/reach-range.ts";

/** People numbered within the low quarter of a crowd, as a snapshot lists them. */
function encodeHashes(numbers: readonly number[]): Buffer {
  const list = Buffer.alloc(numbers.length * 8);
  for (const [at, number] of [...numbers].sort((a, b) => a - b).entries()) {
    list.writeBigUInt64BE(BigInt(number) * 2n ** 48n, at * 8);
  }
  return list;
}

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 65_535 }), { minLength: 1, maxLength: 300 });
const part = fc
  .record({ numbers, times: fc.integer({ min: 1, max: 5_000 }), noise: fc.double({ min: -4, max: 4, noNaN: true }) })
  .map(({ numbers: some, times, noise }): ReachPart => {
    const size = Math.max(1_000, some.length * times);
    const from = roundedSize(size);
    return {
      size,
      published: { from, to: nextStep(from) },
      level: requiredLevel(times, 2),
      people: encodeHashes(some),
      noise,
    };
  });

test("a range is never below its largest part nor above the sum, for any overlap and any noise", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 100_000 }),
      (parts, noise) => {
        const ordered = parts.toSorted((a, b) => b.published.from - a.published.from);
        const { from, to } = reachRange(ordered, noise);
        const largest = ordered[0]?.published ?? expect.fail();
        expect(from).toBeGreaterThanOrEqual(largest.from);
        expect(to).toBeGreaterThanOrEqual(largest.to);
        expect(to).toBeLessThanOrEqual(parts.reduce((sum, { published }) => sum + published.to, 0));
        expect(from).toBeLessThan(to);
      },
    ),
  );
});

test("without noise the range contains the true number of people", () => {
  // Every few numbers around the crowd, which an odd distance never meets twice: drawing each would take seconds.
  const whole = fc
    .record({
      size: fc.integer({ min: 5_000, max: 9_000 }),
      start: fc.integer({ min: 0, max: 65_535 }),
      distance: fc.nat(8_000).map((half) => 2 * half + 1),
    })
    .map(({ size, start, distance }) => Array.from({ length: size }, (_, at) => (start + at * distance) % 65_536));
  fc.assert(
    fc.property(fc.array(whole, { minLength: 2, maxLength: 4 }), (all) => {
      const parts = all.map((some): ReachPart => {
        const from = roundedSize(some.length);
        return {
          size: some.length,
          published: { from, to: nextStep(from) },
          level: 0,
          people: encodeHashes(some),
          noise: 0,
        };
      });
      const people = new Set(all.flat()).size;
      const { from, to } = reachRange(parts, 0);
      // An overlap under the minimum is not looked at: it may be missing from each but the first.
      expect(people).toBeGreaterThanOrEqual(from - (all.length - 1) * 1_000);
      expect(people).toBeLessThan(to);
    }),
    { numRuns: 20 },
  );
});

test("an overlap below the minimum changes nothing, and one at the minimum does", () => {
  const size = 3_000;
  const from = roundedSize(size);
  const published = { from, to: nextStep(from) };
  const rangeWith = (shared: number) => {
    const parts = [0, size - shared].map((first): ReachPart => {
      const people = encodeHashes(Array.from({ length: size }, (_, index) => first + index));
      return { size, published, level: 0, people, noise: 0 };
    });
    return reachRange(parts, 0);
  };
  const disjoint = { from: 2 * published.from, to: 2 * published.to };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: minimumAudienceSize - 1 }), (shared) => {
      expect(rangeWith(shared)).toEqual(disjoint);
    }),
    { numRuns: 25, examples: [[minimumAudienceSize - 1]] },
  );
  expect(rangeWith(minimumAudienceSize)).not.toEqual(disjoint);
});

test("sorted lists are united, intersected and compared like sets", () => {
  fc.assert(
    fc.property(numbers, numbers, (some, others) => {
      const [one, other] = [encodeHashes(some), encodeHashes(others)];
      const both = some.filter((number) => others.includes(number));
      const { all, shared } = unite(peopleAtLevel(one, 0, 1_000), peopleAtLevel(other, 0, 1_000));
      expect(shared).toBe(both.length);
      expect(all.length).toBe(new Set([...some, ...others]).size);
      expect([...all]).toEqual([...all].sort((a, b) => a - b));
      expect(intersectPeople(one, other)).toEqual(encodeHashes(both));
      expect(peopleAtLevel(one, 2, 1_000).length).toBe(some.filter((number) => number < 16_384).length);
    }),
  );
});
