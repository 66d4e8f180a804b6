import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { reachOfSnapshots } from "#app/domain/audiences/snapshots/reach-of-snapshots.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { parseId } from "#app/domain/ids.ts";
import { audienceSnapshots } from "#db/schema/index.ts";
import { audienceOfHashes } from "#tests/domain/audiences/audience-of-hashes.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import {
  accuracyOf,
  exactProduct,
  findSize,
  guessByCrossing,
  invented,
  type Product,
  targetsOf,
} from "./reach-attack.ts";
import { askWithoutNoise, guessByRegression, guessOneByOne, numberedId, snapshotOf } from "./reach-model.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** The number of calls that both accounts make together. */
const calls = faultRuns({ small: 300, all: 5_000 });
const targets = targetsOf("crossing", faultRuns({ small: 40, all: 200 }));
const members = targets.filter(({ isIn }) => isIn).map(({ hash }) => hash);
const hashes = targets.map(({ hash }) => hash);
const victims = { small: [...members, ...invented(1_317 - members.length, "small")], large: invented(2_183, "large") };

/** Harbor and Northwind collude; Fern is not involved. */
function createColludingProduct(): Product {
  const content = new Map<string, readonly Buffer[]>();
  const idOf = (id: string) => parseId<AudienceId>(id) ?? expect.fail();
  return {
    create: async (people) => {
      const id = await audienceOfHashes(world.harbor, people);
      content.set(id, people);
      return id;
    },
    replace: async (id, people) => {
      const before = new Set(content.get(id)?.map((hash) => hash.toString("hex")));
      const after = new Set(people.map((hash) => hash.toString("hex")));
      await updateMembers(world.harbor, {
        audienceId: idOf(id),
        add: [...after].filter((hash) => !before.has(hash)).map((email_sha256) => ({ email_sha256 })),
        remove: [...before].filter((hash) => !after.has(hash)).map((email_sha256) => ({ email_sha256 })),
      });
      content.set(id, people);
    },
    ask: async (...ids) =>
      estimateReach(world.northwind, { audienceIds: ids.map(idOf) }).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === "rate_limited") return undefined;
        throw error;
      }),
  };
}

describe("an advertiser and a publisher who collude", () => {
  test(
    "learn neither a size nor who is in an audience, unlike with the earlier algorithm",
    async () => {
      // With the victim's people, one below and at the step of 2,500.
      const padding = 1_183;
      const before = exactProduct(new Map(Object.entries(victims)));
      expect(await findSize(before, "small", 5_000)).toBe(1_317);
      expect(await findSize(before, "large", 5_000)).toBe(2_183);
      for (const separate of [false, true]) {
        const guesses = await guessByCrossing(before, { victim: "small", targets: hashes, padding, separate });
        expect(accuracyOf(targets, guesses)).toBe(1);
      }

      const now = createColludingProduct();
      const victim = await audienceOfHashes(world.fern, victims.small, numberedId(1));
      const other = await audienceOfHashes(world.fern, victims.large, numberedId(2));
      for (const id of [victim, other]) {
        const size = await findSize(now, id, 5_000);
        // The only size they find is the one at which their own audience crosses a step.
        expect(Math.abs(size)).toBeLessThan(500);
      }
      for (const separate of [false, true]) {
        world.advanceDays(1);
        const guesses = await guessByCrossing(now, { victim, targets: hashes, padding, separate });
        expect(accuracyOf(targets, guesses)).toBeLessThanOrEqual(0.6);
      }
    },
    faultTimeoutMs,
  );

  test(
    "get the same results for all sizes within a step, whatever they query",
    async () => {
      const ids = [1_300, 1_700, 2_200].map((size, index) => snapshotOf(10 + index, invented(size, `size ${size}`)));
      const padding = invented(6_500, "padding");
      for (let own = 1_000; own <= 6_000; own += 100) {
        const pad = snapshotOf(100 + own, padding.slice(0, own));
        const more = snapshotOf(20_000 + own, padding.slice(0, own + 500));
        const ranges = ids.map((id) => [reachOfSnapshots([id, pad]), reachOfSnapshots([id, pad, more])]);
        // Only the attackers' own part of the overlap remains; its noise differs, so it may be off by a tenth.
        expect(ranges.map(([alone]) => alone)).toEqual(ranges.map(() => ranges[0]?.[0]));
        for (const [, both] of ranges) expect(both?.to).toBeLessThanOrEqual(2_500 + 1.5 * (pad.size + more.size) * 2.5);
      }
    },
    faultTimeoutMs,
  );

  test(
    "use up their budget, and get the same results for other queries of the day",
    async () => {
      world.advanceDays(1);
      const now = createColludingProduct();
      const victim = await audienceOfHashes(world.fern, victims.small, numberedId(3));
      const common = invented(950, "common");
      const own = await Promise.all(
        Array.from({ length: 22 }, (_, index) =>
          audienceOfHashes(
            world.harbor,
            [...common, ...hashes.slice(0, 10 + index), ...invented(150, `own ${index}`)],
            numberedId(4 + index),
          ),
        ),
      );
      const pairs = own.flatMap((one, index) => own.slice(index + 1).map((another) => [one, another] as const));
      const days = faultRuns({ small: 1, all: 3 });
      for (let day = 1, asked = 0; day <= days; day += 1) {
        const answered = new Map<string, unknown>();
        let refused = 0;
        for (; asked < (calls * day) / days; asked += 1) {
          const pair = pairs[asked % pairs.length] ?? expect.fail();
          const ranges = await now.ask(victim, ...pair);
          if (ranges === undefined) refused += 1;
          else if (answered.has(pair.join())) expect(ranges).toEqual(answered.get(pair.join()));
          answered.set(pair.join(), ranges ?? answered.get(pair.join()));
        }
        expect([...answered.values()].filter((ranges) => ranges !== undefined)).toHaveLength(200);
        expect(refused).toBeGreaterThan(0);
        world.advanceDays(1);
      }
      // The model below agrees with the product.
      for (const pair of pairs.slice(0, 20)) {
        const ids = [victim, ...pair];
        const snapshots = await Promise.all(
          ids.map(async (id) => {
            const [row] = await db().select().from(audienceSnapshots).where(eq(audienceSnapshots.audienceId, id));
            return row ?? expect.fail();
          }),
        );
        expect(await now.ask(...ids)).toEqual(reachOfSnapshots(snapshots));
      }
    },
    faultTimeoutMs,
  );
});

describe("600 results, chosen to reveal most about 200 people", () => {
  const worlds = Array.from({ length: faultRuns({ small: 1, all: 20 }) }, (_, index) => `world ${index}`);
  const rightOf = (guess: ReturnType<typeof guessByRegression>) => accuracyOf(guess.targets, guess.guesses);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  test(
    "reveal at most 60% of them correctly; without noise they would reveal nearly all",
    () => {
      const right = worlds.map((seed) => rightOf(guessByRegression(seed, 600)));
      expect(mean(right)).toBeLessThanOrEqual(faultRuns({ small: 0.6, all: 0.55 }));
      expect(rightOf(guessByRegression("control", 600, askWithoutNoise))).toBeGreaterThan(0.8);
    },
    faultTimeoutMs,
  );

  test(
    "reveal no more about one person, though all of them are about that person",
    () => {
      const answers = faultRuns({ small: 20, all: 600 });
      expect(rightOf(guessOneByOne("each", answers))).toBeLessThanOrEqual(0.6);
      expect(rightOf(guessOneByOne("control", 1, askWithoutNoise))).toBe(1);
    },
    faultTimeoutMs,
  );
});
