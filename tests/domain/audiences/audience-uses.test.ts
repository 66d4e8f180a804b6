import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import type { DemoAudienceKey } from "#db/seed/demo-audiences.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { succeeds, succeedsBesideOthers } from "#tests/support/outcome.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const miscounted = () => findBrokenInvariants(db(), { only: (rule) => rule.startsWith("an audience's counter") });

/** Two audiences of each publisher. */
const choices = ["hikers", "campers", "coffeeDrinkers", "grilling"] as const satisfies readonly DemoAudienceKey[];
const chosen = fc.subarray([...choices], { minLength: 1 });
const campaign = fc.nat(1);
const events = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant("send" as const), campaign, audiences: chosen }),
    fc.record({
      does: fc.constantFrom("approve" as const, "reject" as const),
      campaign,
      publisher: fc.constantFrom("harbor" as const, "fern" as const),
    }),
  ),
  { minLength: 3, maxLength: 12 },
);
type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;

async function apply(event: Event, ids: readonly CampaignId[]): Promise<void> {
  const id = ids[event.campaign];
  if (!id) return;
  if (event.does === "send") {
    const changes = { selected_audiences: event.audiences.map((key) => world.audience(key)) };
    await updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
  } else {
    await reviewCampaign(world[event.publisher], { id, action: event.does });
  }
}

const usesOf = async (key: DemoAudienceKey) => {
  const { rows } = await listOwnAudiences(world.harbor, { limit: 50 });
  return rows.find(({ id }) => id === world.audience(key))?.usedIn;
};

/**
 * A version that waits beside the one that runs, one that is rejected, and a publisher that is withdrawn and asked
 * again.
 */
const everything: Event[] = [
  { does: "approve", campaign: 0, publisher: "harbor" },
  { does: "send", campaign: 0, audiences: ["campers", "coffeeDrinkers"] },
  { does: "send", campaign: 0, audiences: ["hikers", "campers", "grilling"] },
  { does: "reject", campaign: 0, publisher: "harbor" },
  { does: "send", campaign: 0, audiences: ["grilling"] },
  { does: "send", campaign: 0, audiences: ["hikers"] },
  { does: "approve", campaign: 0, publisher: "harbor" },
];

const runs = faultRuns({ small: 4, all: 300 });

test(
  `after each event of ${runs} random histories each audience has as many uses as its campaigns say`,
  async () => {
    const outcomes = new Map<string, number>();
    const seen = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        const ids = [await world.aLaunchedCampaign(), await world.aLaunchedCampaign({ audiences: choices })];
        for (const event of history) {
          const outcome = `${event.does} ${await succeeds(apply(event, ids))}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          expect(await miscounted(), JSON.stringify(event)).toEqual({});
          seen.add(await usesOf("hikers"));
        }
      }),
      { numRuns: runs, examples: [[everything]] },
    );
    for (const does of ["send", "approve", "reject"]) expect(outcomes.get(`${does} true`), does).toBeGreaterThan(0);
    expect(seen.size).toBeGreaterThan(2);
  },
  faultTimeoutMs,
);

test("the migration counts older uses while campaigns are launched, reviewed and sent anew", async () => {
  const drafts = await Promise.all([0, 1, 2, 3].map((nth) => world.aDraft({}, { audiences: choices.slice(nth) })));
  const work = async (id: CampaignId, at: number) => {
    expect(await succeedsBesideOthers(() => launchCampaign(world.northwind, { id }))).toBe(true);
    await succeedsBesideOthers(() =>
      apply({ does: "approve", campaign: 0, publisher: at % 2 === 0 ? "harbor" : "fern" }, [id]),
    );
    for (const audiences of [[...choices], choices.slice(0, 1 + at), choices.slice(at)])
      await succeedsBesideOthers(() => apply({ does: "send", campaign: 0, audiences }, [id]));
  };
  const fill = () => db.owner().execute(sql`call fill_audience_uses()`);
  await db.owner().execute(sql`truncate audience_uses`);
  expect(Object.keys(await miscounted())).toHaveLength(1);
  const filling = async () => {
    for (let time = 0; time < 10; time += 1) await fill();
  };
  await Promise.all([...drafts.map(work), filling()]);
  expect(await miscounted()).toEqual({});
  const read = async () => [...(await db().execute(sql`select * from audience_uses order by 1`))];
  const complete = await read();
  expect(complete.length).toBeGreaterThan(3);
  await fill();
  expect(await read()).toEqual(complete);
});
