import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { type DeliveryRow, parseDeliveryRows } from "#app/domain/delivery/delivery-row.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { type CampaignId, newId } from "#app/domain/ids.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { campaigns, deliveries, deliveryReports, deliveryRevisions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(() => world.setNow("2026-11-20T12:00:00Z"));

/** Runs from today for ten days; $500 a day, $5,000 in all. */
function running(more: Parameters<World["aRunningCampaign"]>[0] = {}) {
  return world.aRunningCampaign({ ...more, changes: { start_date: world.today(), ...more.changes } });
}

/** Returns a delivery row in the API's format. */
function wireRow(campaignId: string, more: Record<string, unknown> = {}) {
  return {
    campaign_id: campaignId,
    audience_id: world.audience("hikers"),
    channel: "dv360",
    date: world.today(),
    impressions: 1_000,
    clicks: 10,
    conversions: 1,
    spend: 4.25,
    revenue: 9.5,
    ...more,
  };
}

const report = (rows: unknown[], source = "test") =>
  ingestDeliveryReport(world.job, { rows: parseDeliveryRows(rows, source) });
const codes = async (rows: unknown[]) => (await report(rows)).rejected.map(({ index, code }) => `${index} ${code}`);
const spentOf = async (id: CampaignId) =>
  (await db().select({ spent: campaigns.spendMicros }).from(campaigns).where(eq(campaigns.id, id)))[0]?.spent;

describe("a row is rejected with its reason, and the others are accepted:", () => {
  let id: CampaignId;
  beforeAll(async () => {
    id = await running();
  });

  const wrong: Record<string, [Record<string, unknown>, string]> = {
    "an unknown campaign": [{ campaign_id: newId() }, "unknown_line_item"],
    "an id that is none": [{ campaign_id: "1 or 1=1" }, "unknown_line_item"],
    "no campaign": [{ campaign_id: undefined }, "unknown_line_item"],
    "an audience id that is none": [{ audience_id: "Weekend hikers" }, "unknown_audience"],
    "no audience": [{ audience_id: undefined }, "unknown_audience"],
    "neither a campaign nor an audience": [{ campaign_id: "", audience_id: "" }, "unknown_line_item"],
    "an unknown audience": [{ audience_id: newId() }, "foreign_audience"],
    "a foreign channel": [{ channel: "radio" }, "unknown_channel"],
    "a channel that was not chosen": [{ channel: "amazon_dsp" }, "channel_not_chosen"],
    "a channel of the other type": [{ channel: "meta" }, "channel_not_chosen"],
    "no day": [{ date: null }, "invalid_date"],
    "a day that is none": [{ date: "2026-02-30" }, "invalid_date"],
    "an infinite day": [{ date: "infinity" }, "invalid_date"],
    "a day to come": [{ date: "2026-11-21" }, "future_day"],
    "a day before the flight": [{ date: "2026-11-19" }, "outside_flight"],
    "negative impressions": [{ impressions: -1 }, "negative"],
    "negative spend": [{ spend: -0.01 }, "negative"],
    "negative revenue as text": [{ revenue: "-1.5" }, "negative"],
    "more clicks than impressions": [{ impressions: 5, clicks: 6 }, "clicks_over_impressions"],
    "half an impression": [{ impressions: 1.5 }, "invalid_number"],
    NaN: [{ spend: Number.NaN }, "invalid_number"],
    "NaN as text": [{ impressions: "NaN" }, "invalid_number"],
    infinity: [{ spend: Number.POSITIVE_INFINITY }, "too_large"],
    "1e308": [{ spend: 1e308 }, "too_large"],
    "1e308 impressions": [{ impressions: 1e308 }, "invalid_number"],
    "1e308 as text": [{ revenue: "1e308" }, "invalid_number"],
    "a trillion dollars": [{ spend: "999999999999" }, "too_large"],
    "seven decimals": [{ spend: 0.000_000_1 }, "invalid_number"],
    "no spend": [{ spend: undefined }, "invalid_number"],
    "an object for a number": [{ clicks: {} }, "invalid_number"],
    "more people than impressions": [{ reach: 1_001 }, "invalid_reach"],
    "impressions that nobody saw": [{ reach: 0 }, "invalid_reach"],
    "half a person": [{ reach: "1.5" }, "invalid_number"],
    "fewer than no people": [{ reach: -1 }, "negative"],
    "creatives that are no list": [{ creatives: "all" }, "invalid_creatives"],
    "a creative that is none": [{ creatives: [null] }, "invalid_creatives"],
    "a creative without an id": [
      { creatives: [{ impressions: 1, clicks: 0, conversions: 0, spend: 0, revenue: 0 }] },
      "invalid_creatives",
    ],
    euros: [{ currency: "EUR" }, "other_currency"],
    "euros as a sign": [{ spend: "€4.25" }, "invalid_number"],
    "a source that is no name": [{ source: "<b>bold</b>" }, "invalid_source"],
    "a source that is too long": [{ source: "a".repeat(65) }, "invalid_source"],
    "no source": [{ source: " " }, "invalid_source"],
  };

  test("any of its fields that is wrong, between rows that are right", async () => {
    const names = Object.keys(wrong);
    const rows = Object.values(wrong).flatMap(([change], at) => [
      wireRow(id, { source: `right-${at}` }),
      wireRow(id, { source: `wrong-${at}`, ...change }),
    ]);
    const { rejected, ...done } = await report(rows);
    const reasons = rejected.map(({ index, code }) => [index % 2 === 1 && names[(index - 1) / 2], code]);
    expect(reasons).toEqual(Object.entries(wrong).map(([what, [, code]]) => [what, code]));
    expect(done).toEqual({ accepted: names.length, added: names.length, restated: 0 });
  });

  test.each([null, "row", 7, [], [1]])("%j for a row", async (row) => {
    expect(await codes([row])).toEqual(["0 invalid_row"]);
  });

  test("prototype keys are not fields", async () => {
    const row = { ...wireRow(id), spend: undefined };
    Object.setPrototypeOf(row, { spend: 1 });
    expect(await codes([row])).toEqual(["0 invalid_number"]);
  });

  test("a second row with the same key in one report", async () => {
    const rows = [wireRow(id, { source: "twice" }), wireRow(id, { source: "twice", impressions: 9_999 })];
    expect(await codes(rows)).toEqual(["1 duplicate_row"]);
    const [kept] = await db().select().from(deliveries).where(eq(deliveries.source, "twice"));
    expect(kept?.impressions).toBe(1_000);
  });
});

describe("line items:", () => {
  test("drafts, and what nobody approved, deliver nothing", async () => {
    const draft = await world.aDraft({ start_date: world.today() });
    const waiting = await world.aLaunchedCampaign({ changes: { start_date: world.today() } });
    expect(await codes([wireRow(draft), wireRow(waiting)])).toEqual(["0 not_approved", "1 not_approved"]);
  });

  test("an audience of another campaign, or of a publisher that rejected, is foreign or not approved", async () => {
    const audiences = ["hikers", "coffeeDrinkers"] as const;
    const partly = await running({ audiences, approvedBy: ["harbor"] });
    const rows = ["campers", "coffeeDrinkers", "hikers"] as const;
    const done = await codes(rows.map((audience) => wireRow(partly, { audience_id: world.audience(audience) })));
    expect(done).toEqual(["0 foreign_audience", "1 not_approved"]);
  });

  test("a flight that has not started", async () => {
    const later = await world.aRunningCampaign();
    expect(await codes([wireRow(later)])).toEqual(["0 outside_flight"]);
  });

  test("after the flight no days beyond it are accepted, and late reports for the days within it are", async () => {
    const id = await running({ changes: { end_date: "2026-11-22" } });
    world.setNow("2026-11-25T08:00:00Z");
    await completeEndedCampaigns(world.job);
    const rows = ["2026-11-19", "2026-11-20", "2026-11-22", "2026-11-23"].map((date) => wireRow(id, { date }));
    expect(await codes(rows)).toEqual(["0 outside_flight", "3 outside_flight"]);
    expect(await world.statusOf(id)).toBe("completed");
  });

  test("days on which it was paused, by either party, are rejected; the first and last day of the pause are not", async () => {
    const id = await running();
    world.setNow("2026-11-21T09:00:00Z");
    await pauseCampaign(world.northwind, { id });
    world.setNow("2026-11-22T09:00:00Z");
    await pauseLineItem(world.harbor, { id });
    world.setNow("2026-11-24T09:00:00Z");
    await resumeCampaign(world.northwind, { id });
    world.setNow("2026-11-25T23:59:59Z");
    await resumeLineItem(world.harbor, { id });
    const days = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"];
    expect(await codes(days.map((date) => wireRow(id, { date })))).toEqual([
      "2 not_running",
      "3 not_running",
      "4 not_running",
    ]);
  });

  test("a pause at midnight ends the day before", async () => {
    const id = await running();
    world.setNow("2026-11-21T00:00:00Z");
    await pauseCampaign(world.northwind, { id });
    expect(await codes([wireRow(id, { date: "2026-11-20" }), wireRow(id, { date: "2026-11-21" })])).toEqual([
      "1 not_running",
    ]);
  });

  test("a day is checked against the versions that ran on it", async () => {
    const id = await running();
    world.setNow("2026-11-21T10:00:00Z");
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ channels: ["amazon_dsp"] }), send: true });
    world.setNow("2026-11-22T10:00:00Z");
    await reviewCampaign(world.harbor, { id, action: "approve" });
    const rows = ["2026-11-21", "2026-11-22"].flatMap((date) => [
      wireRow(id, { date }),
      wireRow(id, { date, channel: "amazon_dsp" }),
    ]);
    expect(await codes(rows)).toEqual(["1 channel_not_chosen"]);
    world.setNow("2026-11-23T10:00:00Z");
    expect(await codes([wireRow(id), wireRow(id, { channel: "amazon_dsp" })])).toEqual(["0 channel_not_chosen"]);
  });

  test("a publisher that was removed may still report earlier days", async () => {
    const id = await running({ audiences: ["hikers", "coffeeDrinkers"], approvedBy: ["harbor", "fern"] });
    world.setNow("2026-11-21T10:00:00Z");
    const changes = campaignChanges({ selected_audiences: [world.audience("coffeeDrinkers")] });
    await updateCampaign(world.northwind, { id, changes, send: true });
    world.setNow("2026-11-22T10:00:00Z");
    expect(await codes(["2026-11-20", "2026-11-22"].map((date) => wireRow(id, { date })))).toEqual(["1 not_running"]);
  });
});

describe("repeated reports:", () => {
  test("the same report twice changes nothing, in any notation of its numbers", async () => {
    const id = await running();
    await report([wireRow(id), wireRow(id, { channel: "trade_desk", spend: 0 })]);
    const before = await snapshot();
    const text = wireRow(id, {
      impressions: "1000",
      clicks: "10",
      conversions: "1",
      spend: "4.250000",
      revenue: "9.5",
    });
    const again = await report([text, wireRow(id, { channel: "trade_desk", spend: 0 })]);
    expect(again).toEqual({ accepted: 2, added: 0, restated: 0, rejected: [] });
    expect(await snapshot()).toEqual(before);
  });

  test("20 at once create one fact", async () => {
    const id = await running();
    const done = await Promise.all(Array.from({ length: 20 }, () => report([wireRow(id)])));
    expect(done.map((one) => one.added).sort()).toEqual([...Array(19).fill(0), 1]);
    expect(await spentOf(id)).toBe(4_250_000n);
  });

  test("a restated day replaces the earlier figures, which are kept", async () => {
    const id = await running();
    await report([wireRow(id)]);
    const done = await report([wireRow(id, { impressions: 900, spend: 4 }), wireRow(id, { channel: "trade_desk" })]);
    expect(done).toMatchObject({ added: 1, restated: 1 });
    await report([wireRow(id, { impressions: 950, spend: 4.1 })]);
    const item = sql`line_item_id in (select id from line_items where campaign_id = ${id}) and channel = 'dv360'`;
    const [fact] = await db().select().from(deliveries).where(item);
    expect(fact).toMatchObject({ revision: 3, impressions: 950, spendMicros: 4_100_000n });
    const kept = await db().select().from(deliveryRevisions).where(item).orderBy(deliveryRevisions.revision);
    expect(kept.map((row) => [row.revision, row.impressions, row.spendMicros])).toEqual([
      [1, 1_000, 4_250_000n],
      [2, 900, 4_000_000n],
    ]);
    expect(kept[0]?.replacedBy).toBe(kept[1]?.reportId);
    expect(await getCampaign(world.northwind, id)).toMatchObject({ impressions: 1_950, spentCents: 835 });
  });

  test("two sources on one day both count", async () => {
    const id = await running();
    await report([wireRow(id)], "google");
    await report([wireRow(id)], "meta.ads");
    expect(await spentOf(id)).toBe(8_500_000n);
  });

  async function snapshot() {
    return db().execute(sql`select md5(string_agg(d::text, '' order by d::text)) facts, (select count(*)::int from ${deliveryReports}) reports,
      (select md5(string_agg(c::text, '' order by id)) from campaigns c) campaigns, (select count(*)::int from audit_entries) entries from deliveries d`);
  }
});

describe("a report split into parts", () => {
  const sources = Array.from({ length: 7 }, (_, at) => `part-${at}`);

  test.each([
    ["on connections of its own", (execute: (ctx: World["job"]) => Promise<unknown>) => execute(world.job)],
    [
      "within a transaction",
      (execute: (ctx: World["job"]) => Promise<unknown>) => db().transaction((tx) => execute({ ...world.job, db: tx })),
    ],
  ])("has each campaign in one of them, complete and in the order of the rows, %s", async (_, within) => {
    const ids: CampaignId[] = [];
    for (let more = 0; more < 5; more += 1) ids.push(await running({ changes: { budget: 30, daily_budget: 15 } }));
    // Day by day, as reports come: the campaigns take turns, and the budget holds the first three rows of each and half
    // of the next.
    const rows = sources.flatMap((source) => ids.map((id) => wireRow(id, { source, spend: 4 })));
    rows.splice(3, 0, wireRow(newId(), { source: "part-0" }));
    const read = parseDeliveryRows(rows, null);
    let done: unknown;
    await within(async (ctx) => {
      done = await ingestDeliveryReport(ctx, { rows: read, batchRows: 10 });
    });
    expect(done).toEqual({
      accepted: 35,
      added: 35,
      restated: 0,
      rejected: [{ index: 3, code: "unknown_line_item" }],
    });
    for (const id of ids) {
      const kept = await queryRows(
        db(),
        z.object({ taken: z.number() }),
        sql`
          select spend_micros::int as taken from deliveries where line_item_id in (select id from line_items where campaign_id = ${id}) order by source`,
      );
      expect(kept.map(({ taken: spend }) => spend / 1e6)).toEqual([4, 4, 4, 3, 0, 0, 0]);
      expect(await spentOf(id)).toBe(15_000_000n);
    }
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("that fails midway says so, keeps the accepted part, and is accepted completely when repeated", async () => {
    const ids: CampaignId[] = [];
    for (let more = 0; more < 4; more += 1) ids.push(await running());
    const last = [...ids].sort().at(-1) ?? newId<CampaignId>();
    const read = parseDeliveryRows(
      ids.map((id) => wireRow(id, { source: "halves" })),
      null,
    );
    await db
      .owner()
      .execute(
        sql.raw(
          `alter table deliveries add constraint not_this check (source <> 'halves' or line_item_id not in ('${await itemOf(last)}'))`,
        ),
      );
    await expect(ingestDeliveryReport(world.job, { rows: read, batchRows: 1 })).rejects.toThrow();
    await db.owner().execute(sql`alter table deliveries drop constraint not_this`);
    expect(await spentOf(last)).toBe(0n);
    const { accepted, added } = await ingestDeliveryReport(world.job, { rows: read, batchRows: 1 });
    expect([accepted, added <= 4 && added >= 1]).toEqual([4, true]);
    for (const id of ids) expect(await spentOf(id)).toBe(4_250_000n);
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  async function itemOf(id: CampaignId): Promise<string> {
    const [item] = await queryRows(
      db(),
      z.object({ id: z.string() }),
      sql`select id from line_items where campaign_id = ${id}`,
    );
    return item?.id ?? "";
  }
});

describe("budgets", () => {
  const dollars = (amount: number) => BigInt(amount * 1_000_000);
  const amountOver = async (id: CampaignId) => {
    const [row] = await queryRows(
      db(),
      z.object({ over: z.string() }),
      sql`select sum(reported_micros - spend_micros)::text as over from deliveries where line_item_id in (select id from line_items where campaign_id = ${id})`,
    );
    return BigInt(row?.over ?? "0");
  };

  test("a day stays within its budget; the rest is over-delivery, and the impressions count", async () => {
    const id = await running();
    await report([wireRow(id, { spend: 499.999_999 }), wireRow(id, { channel: "trade_desk", spend: 100 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(500), 99_999_999n]);
    expect(await getCampaign(world.northwind, id)).toMatchObject({
      impressions: 2_000,
      status: "active",
      spentCents: 50_000,
    });
    world.advanceDays(1);
    await report([wireRow(id, { spend: 20 })]);
    expect(await spentOf(id)).toBe(dollars(520));
  });

  test("the day's budget is the campaign's: both publishers share it", async () => {
    const id = await running({ audiences: ["hikers", "coffeeDrinkers"], approvedBy: ["harbor", "fern"] });
    await report([wireRow(id, { spend: 400 })]);
    await report([wireRow(id, { audience_id: world.audience("coffeeDrinkers"), spend: 400 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(500), dollars(300)]);
  });

  test("restating lower frees budget; other rows get it only when they are restated", async () => {
    const id = await running();
    await report([wireRow(id, { spend: 400 }), wireRow(id, { channel: "trade_desk", spend: 400 })]);
    await report([wireRow(id, { spend: 50 })]);
    expect(await spentOf(id)).toBe(dollars(150));
    await report([wireRow(id, { channel: "trade_desk", spend: 401 })]);
    expect(await spentOf(id)).toBe(dollars(451));
  });

  test("counted spend stays counted when another row of the same report grows", async () => {
    const id = await running();
    await report([wireRow(id, { spend: 100 }), wireRow(id, { channel: "trade_desk", spend: 400 })]);
    await report([wireRow(id, { spend: 300 }), wireRow(id, { channel: "trade_desk", spend: 400, clicks: 11 })]);
    const rows = await queryRows(
      db(),
      z.object({ channel: z.string(), spend: z.string() }),
      sql`select channel, spend_micros::text as spend from deliveries where line_item_id in (select id from line_items where campaign_id = ${id}) order by 1`,
    );
    expect([...rows]).toEqual([
      { channel: "dv360", spend: "100000000" },
      { channel: "trade_desk", spend: "400000000" },
    ]);
  });

  test("a spent budget completes the campaign, with its audit entries", async () => {
    const id = await running({ changes: { budget: 500 } });
    world.setNow("2026-11-20T15:00:00Z");
    await report([wireRow(id, { spend: 800 })]);
    expect([await world.statusOf(id), await spentOf(id)]).toEqual(["completed", dollars(500)]);
    expect(await world.lineItemStatus(world.harbor, id)).toBe("approved completed");
    await report([wireRow(id, { spend: 900 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(500), dollars(400)]);
    expect(await codes([wireRow(id, { date: "2026-11-21" as CalendarDate })])).toEqual(["0 future_day"]);
  });

  test("while versions differ the smaller budget applies, and a campaign that waits for more is not completed", async () => {
    const id = await running({ changes: { budget: 500 } });
    await updateCampaign(world.northwind, {
      id,
      changes: campaignChanges({ budget: 900, daily_budget: 900 }),
      send: true,
    });
    await report([wireRow(id, { spend: 700 })]);
    expect([await world.statusOf(id), await spentOf(id)]).toEqual(["active", dollars(500)]);
    await reviewCampaign(world.harbor, { id, action: "approve" });
    await report([wireRow(id, { spend: 800 })]);
    expect(await spentOf(id)).toBe(dollars(800));
  });

  test("late reports of a publisher that was removed are bound by the campaign's budget of today, not by its own", async () => {
    const id = await running({
      audiences: ["hikers", "coffeeDrinkers"],
      approvedBy: ["harbor", "fern"],
      changes: { budget: 500 },
    });
    await report([wireRow(id, { spend: 100 })]);
    world.setNow("2026-11-21T10:00:00Z");
    const audience = world.audience("coffeeDrinkers");
    const changes = campaignChanges({ selected_audiences: [audience], budget: 5_000, daily_budget: 1_500 });
    await updateCampaign(world.northwind, { id, changes, send: true });
    await report([wireRow(id, { channel: "trade_desk", date: "2026-11-20", spend: 30 })]);
    await reviewCampaign(world.fern, { id, action: "approve" });
    await report([wireRow(id, { audience_id: audience, spend: 1_200 })]);
    await report([wireRow(id, { date: "2026-11-20", spend: 150 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(1_380), 0n]);
    await updateCampaign(world.northwind, {
      id,
      changes: campaignChanges({ selected_audiences: [world.audience("hikers"), audience] }),
      send: true,
    });
    await report([wireRow(id, { date: "2026-11-20", spend: 160 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(1_390), 0n]);
  });

  test("late reports of a publisher that was removed do not exceed a budget that was lowered since", async () => {
    const id = await running({ audiences: ["hikers", "coffeeDrinkers"], approvedBy: ["harbor", "fern"] });
    await report([wireRow(id, { spend: 100 })]);
    world.setNow("2026-11-20T15:00:00Z");
    const audience = world.audience("coffeeDrinkers");
    const changes = campaignChanges({ selected_audiences: [audience], budget: 120, daily_budget: 120 });
    await updateCampaign(world.northwind, { id, changes, send: true });
    world.setNow("2026-11-21T10:00:00Z");
    await report([wireRow(id, { date: "2026-11-20", spend: 150 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(120), dollars(30)]);
  });

  test("late reports of the only publisher that approved are bound by the version that replaced it", async () => {
    const id = await running({ changes: { budget: 500 } });
    await report([wireRow(id, { spend: 100 })]);
    world.setNow("2026-11-20T15:00:00Z");
    const changes = campaignChanges({
      selected_audiences: [world.audience("coffeeDrinkers")],
      budget: 120,
      daily_budget: 120,
    });
    await updateCampaign(world.northwind, { id, changes, send: true });
    world.setNow("2026-11-21T10:00:00Z");
    await report([wireRow(id, { date: "2026-11-20", spend: 150 })]);
    expect([await spentOf(id), await amountOver(id)]).toEqual([dollars(120), dollars(30)]);
  });

  test("rejecting a larger budget completes a campaign that has spent the old one", async () => {
    const id = await running({ changes: { budget: 500 } });
    await updateCampaign(world.northwind, {
      id,
      changes: campaignChanges({ budget: 900, daily_budget: 900 }),
      send: true,
    });
    await report([wireRow(id, { spend: 700 })]);
    await reviewCampaign(world.harbor, { id, action: "reject" });
    expect(await world.statusOf(id)).toBe("completed");
  });

  /** Sends a version with another budget, which is also the daily one. */
  const sendBudget = (id: CampaignId, budget: number) =>
    updateCampaign(world.northwind, { id, changes: campaignChanges({ budget, daily_budget: budget }), send: true });

  test("approving a smaller budget that is already spent completes the campaign, and both sides are notified", async () => {
    const id = await running({ changes: { budget: 1_000 } });
    await report([wireRow(id, { spend: 400 })]);
    await sendBudget(id, 500);
    await report([wireRow(id, { spend: 700 })]);
    expect([await world.statusOf(id), await spentOf(id)]).toEqual(["active", dollars(500)]);
    expect(await reviewCampaign(world.harbor, { id, action: "approve" })).toEqual({ hasEnded: true });
    expect(await world.lineItemStatus(world.harbor, id)).toBe("approved completed");
    expect(await getCampaign(world.northwind, id)).toMatchObject({
      status: "completed",
      statusReason: { code: "budget_spent" },
    });
    const eventsOf = async (who: "northwind" | "harbor") => {
      const own = sql`select event from notifications where campaign_id = ${id} and account_id = ${world.accountId(who)} order by id`;
      return (await queryRows(db(), z.object({ event: z.string() }), own)).map(({ event }) => event);
    };
    expect((await eventsOf("northwind")).slice(-2)).toEqual(["campaign_approved", "campaign_completed"]);
    expect((await eventsOf("harbor")).slice(-1)).toEqual(["campaign_completed"]);
    const entries = await listHistory(world.northwind, id);
    expect(entries.find(({ action }) => action === "campaign.completed")).toMatchObject({
      actorKind: "job",
      actorAccountId: null,
      entrypoint: "job",
    });
    expect(entries.find(({ action }) => action === "line_item.approved")).toMatchObject({ actorKind: "publisher" });
  });

  test("a budget of what is already spent completes the campaign once both publishers have decided on it", async () => {
    const id = await running({ audiences: ["hikers", "coffeeDrinkers"], approvedBy: ["harbor", "fern"] });
    await report([wireRow(id, { spend: 400 })]);
    await sendBudget(id, 400);
    expect(await reviewCampaign(world.harbor, { id, action: "approve" })).toEqual({ hasEnded: false });
    expect(await world.statusOf(id)).toBe("active");
    expect(await reviewCampaign(world.fern, { id, action: "reject" })).toEqual({ hasEnded: true });
    expect(await world.statusOf(id)).toBe("completed");
  });

  test("approving a smaller budget that is not spent yet completes nothing", async () => {
    const id = await running({ changes: { budget: 1_000 } });
    await report([wireRow(id, { spend: 400 })]);
    await sendBudget(id, 401);
    expect(await reviewCampaign(world.harbor, { id, action: "approve" })).toEqual({ hasEnded: false });
    expect(await world.statusOf(id)).toBe("active");
  });

  /** Each of 31.1 dollars, on two days; two publishers and two channels. */
  const fifty = () =>
    Array.from(
      { length: 50 },
      (_, index): Partial<DeliveryRow> => ({
        audienceId: world.audience(index % 2 ? "hikers" : "coffeeDrinkers"),
        channel: index % 3 ? "dv360" : "trade_desk",
        day: index % 5 ? ("2026-11-21" as CalendarDate) : ("2026-11-20" as CalendarDate),
        source: `source-${index}`,
        spendMicros: 31_111_108 + index,
      }),
    );
  const ofSevenHundred = () =>
    running({ audiences: ["hikers", "coffeeDrinkers"], approvedBy: ["harbor", "fern"], changes: { budget: 700 } });

  test("50 reports at once never exceed a budget by one micro", async () => {
    const id = await ofSevenHundred();
    world.advanceDays(1);
    const done = await Promise.all(fifty().map((row) => world.deliver(id, row)));
    expect(done.every((one) => one.added === 1)).toBe(true);
    const days = await queryRows(
      db(),
      z.object({ spent: z.string(), most: z.string() }),
      sql`
        select sum(spend_micros)::text as spent, sum(reported_micros)::text as most
        from deliveries where line_item_id in (select id from line_items where campaign_id = ${id}) group by day order by day`,
    );
    const spent = days.map((day) => Number(day.spent));
    expect(spent.reduce((sum, one) => sum + one, 0)).toBe(700_000_000);
    expect(Math.max(...spent)).toBeLessThanOrEqual(500_000_000);
    expect(await world.statusOf(id)).toBe("completed");
    expect(await findBrokenInvariants(db())).toEqual({});
  }, 60_000);

  test("control: when each reads what is left before any writes, the same 50 exceed the budget", async () => {
    const id = await ofSevenHundred();
    world.advanceDays(1);
    await world.deliver(id, { spendMicros: 0 });
    const claims = fifty().map(async (row) => ({ row, room: 700_000_000n - ((await spentOf(id)) ?? 0n) }));
    for (const { row, room } of await Promise.all(claims)) {
      const spend = room < 31_111_108n ? room : 31_111_108n;
      await db().execute(sql`
        insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
        select line_item_id, publisher_id, day, audience_id, channel, ${row.source}, 1, 0, 0, ${spend}, 0, 31111108, report_id
        from deliveries where source = 'test' and line_item_id in (select id from line_items where campaign_id = ${id})`);
    }
    expect(await spentOf(id)).toBe(1_555_555_400n);
  }, 60_000);
});

describe("days are UTC days,", () => {
  const turns = {
    "at the year's end": "2026-12-31",
    "when clocks go back in Europe": "2026-10-24",
    "when clocks go back in America": "2026-10-31",
    "when clocks go forward": "2027-03-27",
    "in February of a leap year": "2028-02-28",
    "at its end": "2028-02-29",
  };

  test.each(Object.entries(turns))("%s: %s is over at midnight, and its late reports are accepted", async (_, day) => {
    world.setNow(`${day}T00:00:00Z`);
    const id = await running();
    const next = calendarDateOf(new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000));
    const rows = () => [wireRow(id, { date: day }), wireRow(id, { date: next })];
    world.setNow(`${day}T23:59:59.999Z`);
    expect(await codes(rows())).toEqual(["1 future_day"]);
    world.setNow(`${next}T00:00:00Z`);
    expect(await report(rows())).toMatchObject({ added: 1, rejected: [] });
    expect(await spentOf(id)).toBe(8_500_000n);
  });
});
