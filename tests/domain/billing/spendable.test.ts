import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { readFunds } from "#app/domain/billing/wallet/read-funds.server.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { deliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { asCents, microsToCents } from "#app/domain/money.ts";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const both = ["hikers", "coffeeDrinkers"] as const;
const flight = () => ({
  budget: 900,
  daily_budget: 300,
  start_date: world.today(),
  end_date: addDays(world.today(), 5),
});
const launch = () => world.aRunningCampaign({ audiences: both, approvedBy: ["harbor", "fern"], changes: flight() });

/** What the wallet reserves for today besides unsettled spend, and on a later day if nothing happens until then. */
async function reservedOn(day: CalendarDate): Promise<number> {
  const clock = () => new Date(`${day}T12:00:00Z`);
  const { accountId } = world.northwind.actor;
  const funds = (await readFunds(world.northwind, [accountId])).get(accountId);
  return (await getWallet({ ...world.northwind, clock })).reserved - (funds?.unsettled ?? 0);
}

const itemRow = z.object({
  id: columnValue(campaigns.id),
  status: columnValue(lineItems.status),
  spent: z.string(),
  today: z.string(),
  start: presentValue(campaignVersions.startDate),
  end: presentValue(campaignVersions.endDate),
  total: z.string(),
  daily: z.string(),
  sent_total: z.string(),
  sent_daily: z.string(),
});

/** The same by asking each line item whether it may deliver. All publishers of a campaign share its budgets. */
async function askedOn(day: CalendarDate): Promise<number> {
  const rows = await queryRows(
    db(),
    itemRow,
    sql`
      select campaign.id, item.status, campaign.spend_micros::text as spent, approved.start_date::text as start, approved.end_date::text as end,
        (select coalesce(sum(one.spend_micros), 0) from line_item_days one join line_items part on part.id = one.line_item_id
          where part.campaign_id = campaign.id and one.day = ${day}::date)::text as today,
        approved.total_budget_cents::text as total, approved.daily_budget_cents::text as daily,
        sent.total_budget_cents::text as sent_total, sent.daily_budget_cents::text as sent_daily
      from campaigns campaign join line_items item on item.campaign_id = campaign.id
      join campaign_versions approved on approved.campaign_id = item.campaign_id and approved.number = item.approved_version
      join campaign_versions sent on sent.campaign_id = item.campaign_id and sent.number = item.sent_version
      where campaign.advertiser_id = ${world.northwind.actor.accountId} and campaign.status = 'active'`,
  );
  const open = new Map<CampaignId, number>();
  for (const row of rows) {
    const dates = { startDate: row.start, endDate: row.end };
    const approved = {
      ...dates,
      totalBudgetCents: asCents(Number(row.total)),
      dailyBudgetCents: asCents(Number(row.daily)),
    };
    const sentBounds = {
      ...dates,
      totalBudgetCents: asCents(Number(row.sent_total)),
      dailyBudgetCents: asCents(Number(row.sent_daily)),
    };
    const spentCents = microsToCents(BigInt(row.spent));
    const state = deliveryEligibility({ status: row.status, approved, sentBounds, spentCents }, day);
    if (!state.eligible) continue;
    const left = Math.min(
      state.totalBudgetCents - spentCents,
      state.dailyBudgetCents - microsToCents(BigInt(row.today)),
    );
    open.set(row.id, Math.max(open.get(row.id) ?? 0, left));
  }
  return [...open.values()].reduce((sum, cents) => sum + cents, 0);
}

const campaign = fc.nat(1);
const publisher = fc.constantFrom("harbor" as const, "fern" as const);
const events = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant("pause"), campaign }),
    fc.record({ does: fc.constant("resume"), campaign }),
    fc.record({ does: fc.constant("publisher_pause"), campaign, publisher }),
    fc.record({ does: fc.constant("publisher_resume"), campaign, publisher }),
    fc.record({
      does: fc.constant("send"),
      campaign,
      total: fc.constantFrom(400, 900, 2_000),
      daily: fc.constantFrom(20, 300, 400),
      days: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({ does: fc.constant("review"), campaign, publisher, action: fc.constantFrom("approve", "reject") }),
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant("deliver"),
        campaign,
        audience: fc.constantFrom(...both),
        daysBack: fc.nat(2),
        dollars: fc.constantFrom(0, 0.004, 10, 250, 400),
      }),
    },
    fc.record({ does: fc.constant("pass_days"), days: fc.integer({ min: 1, max: 3 }) }),
  ),
  { minLength: 4, maxLength: 14 },
);
type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;

async function apply(event: Event, ids: readonly CampaignId[]): Promise<void> {
  if (!("campaign" in event)) {
    world.advanceDays(event.days);
    await completeEndedCampaigns(world.job);
    return;
  }
  const id = ids[event.campaign];
  if (!id) return;
  if (event.does === "pause") await pauseCampaign(world.northwind, { id });
  else if (event.does === "resume") await resumeCampaign(world.northwind, { id });
  else if ("action" in event) {
    await reviewCampaign(world[event.publisher], { id, action: event.action === "approve" ? "approve" : "reject" });
  } else if ("publisher" in event) {
    await (event.does === "publisher_pause" ? pauseLineItem : resumeLineItem)(world[event.publisher], { id });
  } else if ("total" in event) {
    const changes = { budget: event.total, daily_budget: event.daily, end_date: addDays(world.today(), event.days) };
    await updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
  } else if ("dollars" in event) {
    await world.deliver(id, {
      audienceId: world.audience(event.audience),
      day: addDays(world.today(), -event.daysBack),
      spendMicros: event.dollars * 1_000_000,
    });
  }
}

const runs = faultRuns({ small: 6, all: 400 });

/** Every kind of event, with two publishers on different versions, spend restated, and a budget below what is spent. */
const everything: Event[] = [
  { does: "deliver", campaign: 0, audience: "hikers", daysBack: 0, dollars: 250 },
  { does: "publisher_pause", campaign: 0, publisher: "harbor" },
  { does: "pause", campaign: 1 },
  { does: "resume", campaign: 1 },
  { does: "pass_days", days: 1 },
  { does: "publisher_resume", campaign: 0, publisher: "harbor" },
  { does: "deliver", campaign: 0, audience: "coffeeDrinkers", daysBack: 0, dollars: 400 },
  { does: "send", campaign: 0, total: 2_000, daily: 20, days: 9 },
  { does: "review", campaign: 0, publisher: "harbor", action: "approve" },
  { does: "deliver", campaign: 0, audience: "coffeeDrinkers", daysBack: 0, dollars: 0.004 },
  { does: "pass_days", days: 3 },
];

/** Both campaigns spend day by day, so that what is reserved has many values whatever the random histories are. */
const spending = [0, 1, 2].flatMap((): Event[] => [
  { does: "deliver", campaign: 0, audience: "hikers", daysBack: 0, dollars: 10 },
  { does: "deliver", campaign: 1, audience: "hikers", daysBack: 0, dollars: 250 },
  { does: "deliver", campaign: 0, audience: "coffeeDrinkers", daysBack: 0, dollars: 0.004 },
  { does: "deliver", campaign: 1, audience: "coffeeDrinkers", daysBack: 0, dollars: 10 },
  { does: "pass_days", days: 1 },
]);

test(
  `after each event of ${runs} random histories the wallet reserves what asking each line item says, today and later`,
  async () => {
    const outcomes = new Map<string, number>();
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        const ids = [await launch(), await launch()];
        for (const event of history) {
          const succeeded = await apply(event, ids).then(
            () => true,
            (error: unknown) => {
              if (error instanceof DomainError) return false;
              throw error;
            },
          );
          const outcome = `${event.does} ${succeeded}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          for (const later of [0, 1, 4]) {
            const day = addDays(world.today(), later);
            const asked = await askedOn(day);
            expect(await reservedOn(day), `${day} after ${JSON.stringify(event)}`).toBe(asked);
            seen.add(asked);
          }
        }
      }),
      { numRuns: runs + 1, examples: [[everything], [spending]] },
    );
    expect(await checkLedger(world.job)).toEqual([]);
    for (const { does } of everything) {
      expect(outcomes.get(`${does} true`), does).toBeGreaterThan(0);
    }
    expect(seen.size).toBeGreaterThan(10);
  },
  faultTimeoutMs,
);

test("deliveries, pauses and versions of several campaigns at once leave the sums of one after the other", async () => {
  const ids = [await launch(), await launch(), await launch()];
  const work = ids.flatMap((id, at) => [
    ...Array.from(
      { length: 4 },
      (_, nth) => () => world.deliver(id, { source: `s${nth}`, spendMicros: 9_000_000 * (at + 1) }),
    ),
    () => pauseLineItem(world.harbor, { id }),
    () => pauseCampaign(world.northwind, { id }),
    () => resumeCampaign(world.northwind, { id }),
    () => resumeLineItem(world.harbor, { id }),
    () => updateCampaign(world.northwind, { id, changes: campaignChanges({ daily_budget: 200 + at }), send: true }),
  ]);
  const done = await Promise.allSettled(work.map((run) => run()));
  for (const one of done) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(DomainError);
  expect(done.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(ids.length * 5);
  const today = calendarDateOf(world.clock());
  expect(await reservedOn(today)).toBe(await askedOn(today));
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a publisher's pause does not wait for an advertiser's that has not reached its line items yet", async () => {
  const paused = await launch();
  // With one publisher, so that its pause changes what the advertiser can spend.
  const other = await world.aRunningCampaign({ audiences: ["hikers"], approvedBy: ["harbor"], changes: flight() });
  await db
    .owner()
    .transaction(async (tx) => {
      // The advertiser's pause waits between the campaign and its line items.
      await tx.execute(sql`select from line_items where campaign_id = ${paused} for update`);
      const pausing = deferRejection(pauseCampaign(world.northwind, { id: paused }));
      await waitForBlockedSessions(db.owner(), 1);
      await pauseLineItem(world.harbor, { id: other });
      await waitForBlockedSessions(db.owner(), 1);
      return { pausing };
    })
    .then(({ pausing }) => pausing);
  const today = calendarDateOf(world.clock());
  expect(await reservedOn(today)).toBe(await askedOn(today));
  expect(await checkLedger(world.job)).toEqual([]);
});

test("the migration stores what older campaigns can spend, and finds nothing new afterwards", async () => {
  await launch();
  const read = async () => [
    ...(await db().execute(sql`select * from spendable_campaigns order by 1`)),
    ...(await db().execute(sql`select * from spendable_changes order by 1, 2`)),
  ];
  const kept = await read();
  expect(kept.length).toBeGreaterThan(2);
  await db.owner().execute(sql`truncate spendable_campaigns, spendable_changes`);
  const violated = (await checkLedger(world.job)).map(({ rule }) => rule);
  expect(violated).toEqual(["what a campaign can spend differs from its budgets"]);
  for (const _time of [1, 2]) {
    await db.owner().execute(sql`call fill_spendable()`);
    expect(await read()).toEqual(kept);
  }
});
