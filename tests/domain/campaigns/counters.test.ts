import { isNotNull, isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { archiveCampaign, restoreCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { archiveLineItem, restoreLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { campaignStatusOf } from "#app/domain/campaigns/campaign.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { countPendingLineItems } from "#app/domain/campaigns/line-items/count-pending-line-items.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { campaigns, lineItems } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const audienceSets = [["hikers"], ["coffeeDrinkers"], ["hikers", "coffeeDrinkers"], ["hikers", "campers"]] as const;
const publisher = fc.constantFrom("harbor" as const, "fern" as const);
const event = fc.oneof(
  fc.record({
    do: fc.constant("review" as const),
    publisher,
    action: fc.constantFrom("approve" as const, "reject" as const),
  }),
  fc.record({ do: fc.constant("audiences" as const), audiences: fc.constantFrom(...audienceSets) }),
  fc.record({ do: fc.constant("budget" as const), budget: fc.integer({ min: 600, max: 9_000 }) }),
  fc.record({ do: fc.constantFrom("launch" as const, "pause" as const, "resume" as const, "wait" as const) }),
  fc.record({ do: fc.constantFrom("archive" as const, "restore" as const) }),
  fc.record({
    do: fc.constantFrom("hold" as const, "release" as const, "shelve" as const, "unshelve" as const),
    publisher,
  }),
  fc.record({ do: fc.constant("deliver" as const), publisher, impressions: fc.integer({ min: 0, max: 50_000 }) }),
);
type CampaignEvent = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** The events of a campaign in any order; a rejected event is a valid outcome. */
async function applyEvent(id: CampaignId, action: CampaignEvent): Promise<unknown> {
  const send = async (changes: Record<string, unknown>) => {
    await updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
  };
  switch (action.do) {
    case "review":
      return reviewCampaign(world[action.publisher], { id, action: action.action });
    case "audiences":
      return send({ selected_audiences: action.audiences.map(world.audience) });
    case "budget":
      return send({ budget: action.budget });
    case "launch":
      return launchCampaign(world.northwind, { id });
    case "pause":
      return pauseCampaign(world.northwind, { id });
    case "resume":
      return resumeCampaign(world.northwind, { id });
    case "hold":
      return pauseLineItem(world[action.publisher], { id });
    case "release":
      return resumeLineItem(world[action.publisher], { id });
    case "archive":
      return archiveCampaign(world.northwind, { id });
    case "restore":
      return restoreCampaign(world.northwind, { id });
    case "shelve":
      return archiveLineItem(world[action.publisher], { id });
    case "unshelve":
      return restoreLineItem(world[action.publisher], { id });
    case "deliver":
      return deliver(id, action.publisher, action.impressions);
    case "wait":
      world.advanceDays(4);
      await completeEndedCampaigns(world.job);
  }
}

async function deliver(campaignId: CampaignId, who: "harbor" | "fern", impressions: number): Promise<void> {
  const audienceId = world.audience(who === "harbor" ? "hikers" : "coffeeDrinkers");
  const figures = { impressions, clicks: Math.floor(impressions / 70), spendMicros: impressions * 7_501 };
  await world.deliver(campaignId, { audienceId, ...figures });
}

/** Counters kept by triggers against a fresh GROUP BY of the rows; both sides leave groups without rows out. */
async function expectCountersToBeSums(): Promise<void> {
  const storedCounters = await db().execute(
    sql`select publisher_id, approval_status, status, managed_by_retailer m, archived a, line_items::int n, impressions::int i, commission_cents::int c, ctr_sum::int r from line_item_counts
        where line_items <> 0 or impressions <> 0 or commission_cents <> 0 or ctr_sum <> 0 order by 1, 2, 3, 4, 5`,
  );
  const counted = await db().execute(
    sql`select publisher_id, approval_status, status, managed_by_retailer m, archived_at is not null a, count(*)::int n, sum(impressions)::int i,
          sum(floor(floor(spend_micros / 10000) * commission_rate_bps / 10000))::int c, sum(case when impressions = 0 then 0 else div(clicks::numeric * 100000000, impressions) end)::int r
        from line_items group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  );
  expect([...storedCounters]).toEqual([...counted]);
  const keptCampaigns = await db().execute(
    sql`select advertiser_id, status, archived a, campaigns::int n from campaign_counts where campaigns <> 0 order by 1, 2, 3`,
  );
  const countedCampaigns = await db().execute(
    sql`select advertiser_id, status, archived_at is not null a, count(*)::int n from campaigns group by 1, 2, 3 order by 1, 2, 3`,
  );
  expect([...keptCampaigns]).toEqual([...countedCampaigns]);
  const mismatches = await db().execute(sql`
    select c.id from campaigns c left join (select campaign_id, sum(impressions) i, sum(spend_micros) s from line_items group by 1) l on l.campaign_id = c.id
    where c.impressions <> coalesce(i, 0) or c.spend_micros <> coalesce(s, 0)
    union all select l.id from line_items l left join (select line_item_id, sum(impressions) i, sum(spend_micros) s from deliveries group by 1) d on d.line_item_id = l.id
    where l.impressions <> coalesce(i, 0) or l.spend_micros <> coalesce(s, 0)`);
  expect([...mismatches]).toEqual([]);
}

/** The stored status against the one that follows from the line items. */
async function expectStatusesToFollow(): Promise<void> {
  const all = await db().select().from(campaigns);
  const items = await db().select().from(lineItems);
  for (const row of all) {
    const own = items.filter((item) => item.campaignId === row.id && item.withdrawnAt === null);
    const follows = campaignStatusOf({
      launched: row.launchedAt !== null,
      paused: row.pausedAt !== null,
      completed: row.completedAt !== null,
      lineItems: own.map((item) => ({
        approvalStatus: item.approvalStatus,
        everApproved: item.approvedVersion !== null,
      })),
    });
    expect(row.status).toBe(follows);
    for (const item of own) {
      expect(item.advertiserPausedAt !== null, "the advertiser's pause is on every line item").toBe(
        row.pausedAt !== null,
      );
    }
  }
}

test("after any history, counters are sums, statuses follow from line items, and a pause is on all of them", async () => {
  const histories = fc.array(event, { minLength: 5, maxLength: 18 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...audienceSets), histories, async (audiences, history) => {
      const id = await world.aLaunchedCampaign({ audiences, changes: { start_date: world.today() } });
      for (const action of history) {
        try {
          await applyEvent(id, action);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      }
      await expectCountersToBeSums();
      await expectStatusesToFollow();
      const { "a publisher runs more campaigns than its plan allows": _, ...broken } = await findBrokenInvariants(db());
      expect(broken).toEqual({});
    }),
    { numRuns: 25 },
  );
}, 120_000);

test("tabs and tiles show the counts of the lists", async () => {
  const audiences = ["hikers", "coffeeDrinkers"] as const;
  const id = await world.aRunningCampaign({ audiences, approvedBy: ["harbor", "fern"] });
  await pauseCampaign(world.northwind, { id });
  await archiveLineItem(world.harbor, { id });
  await archiveLineItem(world.fern, { id });
  await world.aRunningCampaign({ audiences, approvedBy: ["harbor"] });
  expect(await countPendingLineItems(world.fern)).toBeGreaterThan(0);
  for (const who of ["harbor", "fern"] as const) {
    const { rows } = await listLineItems(world[who], { limit: 500 });
    const archived = (await listLineItems(world[who], { limit: 500, archived: true })).rows;
    expect(archived.length).toBeGreaterThan(0);
    const all = [...rows, ...archived];
    const summary = await countLineItems(world[who]);
    expect(summary.approval.pending).toBe(rows.filter((row) => row.approvalStatus === "pending").length);
    expect(await countPendingLineItems(world[who])).toBe(summary.approval.pending);
    expect(summary.management.active).toBe(rows.filter((row) => row.status === "active").length);
    expect(summary.management.all).toBe(rows.length);
    expect(summary.management.archived).toBe(archived.length);
    // Sums of money and delivery are over all line items.
    expect(summary.impressions).toBe(all.reduce((sum, row) => sum + row.impressions, 0));
    expect(summary.commissionCents).toBe(all.reduce((sum, row) => sum + row.commissionEarnedCents, 0));
    const clicks = all.reduce((sum, row) => sum + row.clicks, 0);
    // Each campaign weighs by its impressions. The random histories before may have left a publisher without any.
    const averageCtr = summary.impressions > 0 ? expect.closeTo((clicks / summary.impressions) * 100, 10) : null;
    expect(summary.averageCtr).toEqual(averageCtr);
  }
  const counts = await countCampaigns(world.northwind);
  expect(counts.all).toBe(await db().$count(campaigns, isNull(campaigns.archivedAt)));
  expect(counts.archived).toBe(await db().$count(campaigns, isNotNull(campaigns.archivedAt)));
});
