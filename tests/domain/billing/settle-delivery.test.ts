import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import type { LedgerPosting } from "#app/domain/billing/ledger/ledger.ts";
import { lockLedgerAccounts } from "#app/domain/billing/ledger/ledger-accounts.server.ts";
import { postToLedger } from "#app/domain/billing/ledger/post-to-ledger.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { addDays, type CalendarDate } from "#app/domain/calendar-date.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx, JobActor } from "#app/domain/context.ts";
import type { DeliveryRow } from "#app/domain/delivery/delivery-row.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { inTransaction, sqlState } from "#app/domain/transaction.server.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { ledgerTransactions, lineItemCounts, lineItems, revenueShares, transactions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

/** A transaction that holds locks until two sessions wait for them takes longer than usual on a busy machine. */
const db = useDatabase({ deadlineMs: 30_000 });
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(() => world.setNow("2026-11-20T12:00:00Z"));

/** A campaign that runs from the 20th on, at 70 %. */
const running = (by = world.northwind) =>
  world.aRunningCampaign({ by, changes: { start_date: "2026-11-20", end_date: "2026-11-30" } });
const spend = (id: CampaignId, dollars: number, day = "2026-11-20" as CalendarDate) =>
  world.deliver(id, { day, spendMicros: Math.round(dollars * 1e6) });
const settleOn = async (instant: string, through?: string) => {
  world.setNow(instant);
  return settleDelivery(world.job, { through: through as CalendarDate | undefined });
};

async function sharesOf(id: CampaignId) {
  const rows = await db()
    .select({ share: revenueShares })
    .from(revenueShares)
    .innerJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .where(eq(lineItems.campaignId, id))
    .orderBy(revenueShares.id);
  return rows.map(({ share }) => [
    share.settledThrough.slice(8),
    share.spendCents,
    share.earningsCents,
    share.feeCents,
  ]);
}

test("the spend of past days becomes entries, a transaction and a revenue share, once", async () => {
  const id = await running();
  await spend(id, 10.009999);
  expect(await settleOn("2026-11-20T23:59:00Z")).toBe(0);
  expect(await settleOn("2026-11-21T00:00:00Z")).toBe(1);
  expect(await settleOn("2026-11-21T00:00:00Z")).toBe(0);
  expect(await sharesOf(id)).toEqual([["20", 1_000, 700, 300]]);
  const [line] = await db().select().from(transactions).orderBy(sql`id desc`).limit(1);
  const topUpTransaction = { accountId: world.northwind.actor.accountId, type: "campaign_spend", status: "succeeded" };
  expect(line).toMatchObject({ ...topUpTransaction, amountCents: 1_000 });
  expect(await checkLedger(world.job)).toEqual([]);
});

test("late and restated reports are settled as the difference, also downwards", async () => {
  const id = await running();
  await spend(id, 10);
  await settleOn("2026-11-21T01:00:00Z");
  await spend(id, 10.55);
  await spend(id, 4, "2026-11-21" as CalendarDate);
  await settleOn("2026-11-21T02:00:00Z");
  await settleOn("2026-11-22T02:00:00Z");
  await spend(id, 3);
  await settleOn("2026-11-22T03:00:00Z");
  expect(await sharesOf(id)).toEqual([
    ["20", 1_000, 700, 300],
    ["20", 55, 38, 17],
    ["21", 400, 280, 120],
    ["21", -755, -528, -227],
  ]);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a day before the last settled one is not settled again, and no day before it is over", async () => {
  const id = await running();
  await spend(id, 5);
  expect(await settleOn("2026-11-20T20:00:00Z", "2026-11-25")).toBe(0);
  expect(await settleOn("2026-11-25T20:00:00Z", "2026-11-22")).toBe(1);
  await spend(id, 6);
  expect(await settleOn("2026-11-25T20:00:00Z", "2026-11-21")).toBe(0);
  expect(await settleOn("2026-11-25T20:00:00Z")).toBe(1);
  expect(await sharesOf(id)).toEqual([
    ["22", 500, 350, 150],
    ["24", 100, 70, 30],
  ]);
});

test("two processes that settle at once settle everything once", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => running()));
  for (const id of ids) await spend(id, 12.34);
  world.setNow("2026-11-21T01:00:00Z");
  const settled = await Promise.all(Array.from({ length: 4 }, () => settleDelivery(world.job)));
  expect(settled.reduce((sum, one) => sum + one, 0)).toBe(6);
  for (const id of ids) expect(await sharesOf(id)).toEqual([["20", 1_234, 863, 371]]);
});

test("concurrent reports, restatements and settlements over several days leave balanced books", async () => {
  const ids = await Promise.all([running(), running(), running()]);
  const random = (most: number) => Math.floor(Math.random() * most);
  for (let on = 0; on < 4; on += 1) {
    const day = addDays("2026-11-20" as CalendarDate, on);
    world.setNow(`${day}T12:00:00Z`);
    const operations = Array.from({ length: 20 }, (_, index) => {
      if (index % 5 === 4) return settleDelivery(world.job);
      const id = ids[index % 3] as CampaignId;
      const source = ["one", "two"][random(2)] ?? "one";
      return world.deliver(id, { day: addDays(day, -random(on + 1)), source, spendMicros: random(300_000_000) });
    });
    for (const one of await Promise.allSettled(operations)) expect(one).toMatchObject({ status: "fulfilled" });
  }
  await settleOn("2026-12-01T01:00:00Z");
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
  const [sums] = await queryRows(
    db(),
    z.object({ spent: z.string(), settled: z.string() }),
    sql`
      select sum(spend_micros / 10000)::text as spent, (select sum(spend_cents)::text from revenue_shares) as settled from line_items`,
  );
  expect(sums?.settled).toBe(sums?.spent);
});

test("a report delayed by a settlement is later than it, so that the ledger check waits for the next one", async () => {
  const id = await running();
  await spend(id, 10);
  await settleOn("2026-11-21T01:00:00Z");
  await spend(id, 12);
  let seconds = 0;
  const clock = () => {
    seconds += 1;
    return new Date(Date.parse("2026-11-21T02:00:00Z") + seconds * 1_000);
  };
  const ticking = { ...world.job, clock };
  const day = { day: "2026-11-20" as CalendarDate, spendMicros: 15_000_000 };
  const operations = await inTransaction(world.job, async (ctx) => {
    await lockLedgerAccounts(ctx, [{ account: "platform_fee" }]);
    const settling = deferRejection(settleDelivery(ticking));
    await waitForBlockedSessions(db(), 1);
    const reporting = deferRejection(world.deliver(id, day, ticking));
    await waitForBlockedSessions(db(), 2);
    return [settling, reporting];
  });
  await Promise.all(operations);
  expect(await sharesOf(id)).toHaveLength(2);
  expect(await checkLedger(world.job)).toEqual([]);
  await settleOn("2026-11-21T03:00:00Z");
  expect(await sharesOf(id)).toHaveLength(3);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a report of new and restated facts and a settlement of the same advertisers do not deadlock", async () => {
  const [first, second] = [world.northwind, world.brightside].sort((one, other) =>
    one.actor.accountId < other.actor.accountId ? -1 : 1,
  );
  const [restated, unsettledOfFirst] = [await running(first), await running(first)];
  const [added, unsettledOfSecond] = [await running(second), await running(second)];
  await spend(restated, 10);
  await settleOn("2026-11-21T01:00:00Z");
  // The report's line items have nothing to settle, so that it does not wait for the settlement at once.
  for (const id of [unsettledOfFirst, unsettledOfSecond]) await spend(id, 20);
  const { ctx, failures } = noteFailures(world.job);
  const { reporting, settling } = await db().transaction(async (tx) => {
    // The report inserts its new fact and then waits for the one that it restates.
    await tx.execute(sql`
      select from deliveries where line_item_id in (select id from line_items where campaign_id = ${restated}) for update`);
    const row = (campaignId: CampaignId, spendMicros: number): DeliveryRow => ({
      campaignId,
      audienceId: world.audience("hikers"),
      channel: "dv360",
      day: "2026-11-20" as CalendarDate,
      source: "test",
      impressions: 1_000,
      clicks: 10,
      conversions: 1,
      spendMicros,
      revenueMicros: 9_000_000,
      reach: null,
      creatives: null,
    });
    const rows = [row(added, 5_000_000), row(restated, 12_000_000)];
    const reporting = deferRejection(ingestDeliveryReport(ctx, { rows }));
    await waitForBlockedSessions(db(), 1);
    const settling = deferRejection(settleDelivery(ctx));
    await waitForBlockedSessions(db(), 2);
    return { reporting, settling };
  });
  expect(await reporting).toMatchObject({ added: 1, restated: 1, rejected: [] });
  const settled = await settling;
  expect(failures).toEqual([]);
  expect(settled).toBe(2);
  await settleOn("2026-11-21T03:00:00Z");
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a report that completes a campaign and a settlement of its other line item do not deadlock", async () => {
  const audiences = ["hikers", "coffeeDrinkers"] as const;
  const changes = { start_date: "2026-11-20", end_date: "2026-11-30", budget: 100, daily_budget: 100 };
  const id = await world.aRunningCampaign({ audiences, approvedBy: ["harbor", "fern"], changes });
  await spend(id, 10);
  await settleOn("2026-11-21T01:00:00Z");
  // Only the other publisher's line item has spend to settle, so that the report does not wait for the settlement at
  // once.
  await world.deliver(id, {
    day: "2026-11-20" as CalendarDate,
    audienceId: world.audience("coffeeDrinkers"),
    spendMicros: 20_000_000,
  });
  const { ctx, failures } = noteFailures(world.job);
  const operations = await inTransaction(world.job, async (tx) => {
    await lockLedgerAccounts(tx, [{ account: "platform_fee" }]);
    const settling = deferRejection(settleDelivery(ctx));
    await waitForBlockedSessions(db(), 1);
    const reporting = deferRejection(
      world.deliver(id, { day: "2026-11-20" as CalendarDate, spendMicros: 90_000_000 }, ctx),
    );
    await waitForBlockedSessions(db(), 2);
    return [settling, reporting];
  });
  await Promise.all(operations);
  expect(failures).toEqual([]);
  expect(await world.statusOf(id)).toBe("completed");
  await settleOn("2026-11-21T03:00:00Z");
  expect(await checkLedger(world.job)).toEqual([]);
});

/**
 * A campaign of two publishers that both approved it. The index of its line items has them in the order of publishers,
 * and the publisher that is first there has the later line item.
 */
async function runningForTwo() {
  const [first, second] = (
    [
      { who: "harbor", audience: "hikers" },
      { who: "fern", audience: "coffeeDrinkers" },
    ] as const
  ).toSorted((one, other) => (world[one.who].actor.accountId < world[other.who].actor.accountId ? -1 : 1));
  if (!first || !second) throw new Error("two publishers are missing");
  const changes = { start_date: "2026-11-20", end_date: "2026-11-30", budget: 100, daily_budget: 100 };
  const id = await world.aRunningCampaign({ audiences: [second.audience], approvedBy: [second.who], changes });
  const audiences = [first.audience, second.audience].map(world.audience);
  await updateCampaign(world.northwind, {
    id,
    changes: campaignChanges({ selected_audiences: audiences }),
    send: true,
  });
  for (const { who } of [first, second]) await reviewCampaign(world[who], { id, action: "approve" });
  const items = await db()
    .select({ id: lineItems.id, publisherId: lineItems.publisherId })
    .from(lineItems)
    .where(eq(lineItems.campaignId, id))
    .orderBy(lineItems.id);
  expect(items.map(({ publisherId }) => publisherId)).toEqual(
    [second, first].map(({ who }) => world[who].actor.accountId),
  );
  const deliver = ({ audience }: typeof first, dollars: number) =>
    world.deliver(id, { audienceId: world.audience(audience), spendMicros: dollars * 1_000_000 });
  return { id, first, second, earlierItem: items[0]?.id, deliver };
}

type TwoPublishers = Awaited<ReturnType<typeof runningForTwo>>;
type Actors = { advertiser: Ctx<AdvertiserActor>; job: Ctx<JobActor> };
const verbs: Record<string, (campaign: TwoPublishers, actors: Actors) => Promise<unknown>> = {
  "pausing a campaign": ({ id }, { advertiser }) => pauseCampaign(advertiser, { id }),
  "resuming a campaign": ({ id }, { advertiser }) => resumeCampaign(advertiser, { id }),
  "renaming a campaign": ({ id }, { advertiser }) =>
    updateCampaign(advertiser, { id, changes: campaignChanges({ name: "Summit Packs" }) }),
  "sending a version without a publisher": ({ id, first }, { advertiser }) => {
    const changes = campaignChanges({ selected_audiences: [world.audience(first.audience)] });
    return updateCampaign(advertiser, { id, changes, send: true });
  },
  "completing an ended campaign": (_, { job }) => completeEndedCampaigns(job),
};

test.each(Object.entries(verbs))("%s and a settlement of its line items do not deadlock", async (verb, run) => {
  const campaign = await runningForTwo();
  await campaign.deliver(campaign.first, 20);
  await campaign.deliver(campaign.second, 20);
  if (verb.startsWith("resuming")) await pauseCampaign(world.northwind, { id: campaign.id });
  world.setNow(verb.startsWith("completing") ? "2026-12-01T00:00:10Z" : "2026-11-21T01:00:00Z");
  const job = noteFailures(world.job);
  const byIndex = { job: noteFailures(readByIndex(world.job)), advertiser: noteFailures(readByIndex(world.northwind)) };
  const operations = await db().transaction(async (tx) => {
    await tx.execute(sql`select from line_items where id = ${campaign.earlierItem} for no key update`);
    const settling = deferRejection(settleDelivery(job.ctx));
    await waitForBlockedSessions(db(), 1);
    const running = deferRejection(run(campaign, { job: byIndex.job.ctx, advertiser: byIndex.advertiser.ctx }));
    await waitForBlockedSessions(db(), 2);
    return [settling, running];
  });
  const [settled] = await Promise.all(operations);
  expect([...job.failures, ...byIndex.job.failures, ...byIndex.advertiser.failures]).toEqual([]);
  expect(settled).toBe(2);
  expect(await findBrokenInvariants(db())).toEqual({});
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a review that completes a campaign and a settlement of its line items do not deadlock", async () => {
  const { id, first, second, deliver } = await runningForTwo();
  await deliver(second, 20);
  // The campaign goes on while the larger budget may still be approved.
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 200 }), send: true });
  await deliver(first, 80);
  await reviewCampaign(world[second.who], { id, action: "reject" });
  world.setNow("2026-11-21T01:00:00Z");
  const [job, reviewer] = [noteFailures(world.job), noteFailures(world[first.who])];
  const operations = await db().transaction(async (tx) => {
    // The review has locked what it locks first, and waits where it writes its own line item.
    await tx
      .select({ publisherId: lineItemCounts.publisherId })
      .from(lineItemCounts)
      .where(eq(lineItemCounts.publisherId, world[first.who].actor.accountId))
      .for("update");
    const reviewing = deferRejection(reviewCampaign(reviewer.ctx, { id, action: "reject" }));
    await waitForBlockedSessions(db(), 1);
    const settling = deferRejection(settleDelivery(job.ctx));
    await waitForBlockedSessions(db(), 2);
    return { reviewing, settling };
  });
  const [reviewed, settled] = await Promise.all([operations.reviewing, operations.settling]);
  expect([...job.failures, ...reviewer.failures]).toEqual([]);
  expect(reviewed).toEqual({ hasEnded: true });
  expect(settled).toBe(2);
  expect(await checkLedger(world.job)).toEqual([]);
});

/** Returns a context that notes the SQLSTATE of each transaction that failed, also of one that is tried again. */
function noteFailures<C extends Ctx>(ctx: C): { ctx: C; failures: string[] } {
  const failures: string[] = [];
  const noting = replaceTransaction(ctx, (...given) =>
    ctx.db.transaction(...given).catch((error) => {
      failures.push(sqlState(error));
      throw error;
    }),
  );
  return { ctx: noting, failures };
}

/** Returns a context whose transactions read by index, as those of a large database do. */
function readByIndex<C extends Ctx>(ctx: C): C {
  return replaceTransaction(ctx, (work, config) =>
    ctx.db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config(name, 'off', true) from unnest('{enable_seqscan,enable_bitmapscan}'::text[]) name`,
      );
      return work(tx);
    }, config),
  );
}

function replaceTransaction<C extends Ctx>(ctx: C, transaction: Database["transaction"]): C {
  const db = new Proxy(ctx.db, {
    get: (target, name) => (name === "transaction" ? transaction : Reflect.get(target, name)),
  });
  return { ...ctx, db };
}

test("an event is posted once, and never with other legs", async () => {
  const owner = world.northwind.actor.accountId;
  const post = (cents: number) =>
    inTransaction(world.job, async (ctx) => {
      const legs: LedgerPosting["legs"] = [
        { account: "advertiser_receivable", ownerId: owner, amount: asCents(cents) },
        { account: "platform_fee", amount: asCents(-cents) },
      ];
      const posting: LedgerPosting = { event: "campaign_spend", eventKey: "once", legs };
      return (await postToLedger(ctx, { postings: [posting], accounts: await lockLedgerAccounts(ctx, legs) })).size;
    });
  const before = await db().$count(ledgerTransactions);
  expect(await post(5)).toBe(1);
  expect(await post(5)).toBe(0);
  await expect(post(6)).rejects.toMatchObject({ code: "idempotency_conflict" });
  expect(await db().$count(ledgerTransactions)).toBe(before + 1);
});

test("the database rejects a later entry, and a transaction that does not balance", async () => {
  const refusal = (operation: Promise<unknown>) => operation.then(() => "taken", sqlState);
  const late = sql`insert into ledger_entries select transaction_id, number + 50, account_id, amount_cents from ledger_entries limit 2`;
  expect(await refusal(db().execute(late))).toBe("23001");
  const slowTransaction = inTransaction(world.job, async (ctx) => {
    const accounts = await lockLedgerAccounts(ctx, [{ account: "platform_fee" }, { account: "cash" }]);
    const legs: LedgerPosting["legs"] = [
      { account: "cash", amount: asCents(7) },
      { account: "platform_fee", amount: asCents(-6) },
    ];
    await postToLedger(ctx, { postings: [{ event: "campaign_spend", eventKey: "lame", legs }], accounts });
  });
  expect(await refusal(slowTransaction)).toBe("23001");
});
