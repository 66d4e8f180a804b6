import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { changeMembers } from "#app/domain/audiences/change-members.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { reachOfSnapshots } from "#app/domain/audiences/snapshots/reach-of-snapshots.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { parseId } from "#app/domain/ids.ts";
import { audienceSnapshots } from "#db/schema/index.ts";
import { audienceOfHashes } from "#tests/domain/audiences/audience-of-hashes.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout } from "#tests/support/fault-size.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
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
  world = await makeWorld(db());
});

/** Calls of the two accounts. */
const calls = faultSize({ small: 300, all: 5_000 });
const targets = targetsOf("crossing", faultSize({ small: 40, all: 200 }));
const members = targets.filter(({ isIn }) => isIn).map(({ hash }) => hash);
const hashes = targets.map(({ hash }) => hash);
const victims = { small: [...members, ...invented(1_317 - members.length, "small")], large: invented(2_183, "large") };

/** Harbor and Northwind work together; Fern knows nothing of it. */
function conspiracy(): Product {
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
      await changeMembers(world.harbor, {
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

describe("an advertiser and a publisher who work together", () => {
  test(
    "find out neither a size nor who is in an audience, as they did before there were snapshots",
    async () => {
      const before = exactProduct(new Map(Object.entries(victims)));
      expect(await findSize(before, "small", 5_000)).toBe(1_317);
      expect(await findSize(before, "large", 5_000)).toBe(2_183);
      for (const anew of [false, true]) {
        const guesses = await guessByCrossing(before, { victim: "small", targets: hashes, padding: 3_683, anew });
        expect(accuracyOf(targets, guesses)).toBe(1);
      }

      const now = conspiracy();
      const victim = await audienceOfHashes(world.fern, victims.small, numberedId(1));
      const other = await audienceOfHashes(world.fern, victims.large, numberedId(2));
      for (const id of [victim, other]) {
        const size = await findSize(now, id, 5_000);
        // What they find is where their own audience crosses a step.
        expect(Math.abs(size)).toBeLessThan(500);
      }
      for (const anew of [false, true]) {
        world.passDays(1);
        const guesses = await guessByCrossing(now, { victim, targets: hashes, padding: 3_683, anew });
        expect(accuracyOf(targets, guesses)).toBeLessThanOrEqual(0.6);
      }
    },
    faultTimeout,
  );

  test(
    "are told the same of all sizes within a step, whatever they ask",
    async () => {
      const ids = [1_300, 1_700, 2_200].map((size, index) => snapshotOf(10 + index, invented(size, `size ${size}`)));
      for (let own = 1_000; own <= 6_000; own += 100) {
        const pad = snapshotOf(100 + own, invented(own, "padding"));
        const more = snapshotOf(20_000 + own, invented(own + 500, "padding"));
        const told = ids.map((id) => [reachOfSnapshots([id, pad]), reachOfSnapshots([id, pad, more])]);
        // Of what overlaps only the attackers' own is left, whose noise differs: it may be a tenth more or less.
        expect(told.map(([alone]) => alone)).toEqual(told.map(() => told[0]?.[0]));
        for (const [, both] of told) expect(both?.to).toBeLessThanOrEqual(2_500 + 1.5 * (pad.size + more.size) * 2.5);
      }
    },
    faultTimeout,
  );

  test(
    "use up their budget, and are told the same by whatever else they ask on a day",
    async () => {
      world.passDays(1);
      const now = conspiracy();
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
      const days = faultSize({ small: 1, all: 3 });
      for (let day = 1, asked = 0; day <= days; day += 1) {
        const answered = new Map<string, unknown>();
        let refused = 0;
        for (; asked < (calls * day) / days; asked += 1) {
          const pair = pairs[asked % pairs.length] ?? expect.fail();
          const told = await now.ask(victim, ...pair);
          if (told === undefined) refused += 1;
          else if (answered.has(pair.join())) expect(told).toEqual(answered.get(pair.join()));
          answered.set(pair.join(), told ?? answered.get(pair.join()));
        }
        expect([...answered.values()].filter((told) => told !== undefined)).toHaveLength(200);
        expect(refused).toBeGreaterThan(0);
        world.passDays(1);
      }
      // The model below says what the product says.
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
    faultTimeout,
  );
});

describe("600 answers, chosen to tell most of 200 people", () => {
  const worlds = Array.from({ length: faultSize({ small: 1, all: 20 }) }, (_, index) => `world ${index}`);
  const rightOf = (guess: ReturnType<typeof guessByRegression>) => accuracyOf(guess.targets, guess.guesses);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  test(
    "tell of no more than 60 % of them rightly; without noise they would tell of nearly all",
    () => {
      const right = worlds.map((seed) => rightOf(guessByRegression(seed, 600)));
      expect(mean(right)).toBeLessThanOrEqual(faultSize({ small: 0.6, all: 0.55 }));
      expect(rightOf(guessByRegression("control", 600, askWithoutNoise))).toBeGreaterThan(0.8);
    },
    faultTimeout,
  );

  test(
    "tell of one person no more, though all of them are about that person",
    () => {
      const answers = faultSize({ small: 20, all: 600 });
      expect(rightOf(guessOneByOne("each", answers))).toBeLessThanOrEqual(0.6);
      expect(rightOf(guessOneByOne("control", 1, askWithoutNoise))).toBe(1);
    },
    faultTimeout,
  );
});
