import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { describeAdjustment } from "#app/domain/billing/adjustment.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { firstOpenMonth } from "#app/domain/billing/ledger/month-closing.ts";
import { type SettlementPart, settlementParts } from "#app/domain/billing/ledger/settlement-parts.ts";
import { unsettledAmounts } from "#app/domain/billing/ledger/spend-posting.ts";
import { listRevenueShares } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions, sumAdSpend } from "#app/domain/billing/list-transactions.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { listPayoutLines, listPayouts } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import { type AccountId, type CampaignId, type LineItemId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { clientOf } from "#tests/api/api.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const month = (text: string) => text as CalendarMonth;
const day = (text: string) => text as CalendarDate;

test("a month closes 45 days after its end, at midnight (UTC)", () => {
  const at = (instant: string, days = 45) => firstOpenMonth(new Date(instant), days);
  expect(at("2027-01-14T23:59:59.999Z")).toBe("2026-11");
  expect(at("2027-01-15T00:00:00.000Z")).toBe("2026-12");
  expect(at("2027-02-15T00:00:00.000Z")).toBe("2027-01");
  expect(at("2028-04-14T00:00:00.000Z")).toBe("2028-02");
  expect(at("2028-04-15T00:00:00.000Z")).toBe("2028-03");
  expect(at("2026-12-01T23:59:59.999Z", 1)).toBe("2026-11");
  expect(at("2026-12-02T00:00:00.000Z", 1)).toBe("2026-12");
  expect(describeAdjustment(day("2026-11-01"))).toBe("Adjustment for November 2026");
});

describe("the parts of a settlement", () => {
  const micros = fc.oneof(fc.nat(40_000), fc.nat(3_000_000_000));
  const months = ["2026-09", "2026-10", "2026-11", "2026-12"] as const;
  const byMonth = fc.record({ "2026-09": micros, "2026-10": micros, "2026-11": micros, "2026-12": micros });
  const total = (amounts: Record<string, number>) => Object.values(amounts).reduce((sum, one) => sum + one, 0);
  const asText = (amounts: Record<string, number>) =>
    Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, String(value)]));

  test("sum to what remains to be settled, never go below zero, and name each closed month once", () => {
    fc.assert(
      fc.property(byMonth, byMonth, fc.nat(8_000), fc.constantFrom(...months, "2027-01"), (before, now, bps, open) => {
        const base = { id: newId<LineItemId>(), advertiserId: newId<AccountId>(), publisherId: newId<AccountId>() };
        const nothing = { ...base, commissionRateBps: bps, settledSpend: asCents(0), settledEarnings: asCents(0) };
        const settled = unsettledAmounts({ ...nothing, spendMicros: BigInt(total(before)) });
        const item = {
          ...nothing,
          settledSpend: settled.spend,
          settledEarnings: settled.earnings,
          spendMicros: BigInt(total(now)),
          settledMicros: BigInt(total(before)),
          settledByMonth: asText(before),
          spendByMonth: asText(now),
        };
        const parts = settlementParts(item, month(open));
        const whole = unsettledAmounts(item);
        const sum = (field: keyof SettlementPart["amounts"]) =>
          parts.reduce((all, { amounts }) => all + amounts[field], 0);
        expect([sum("spend"), sum("earnings"), sum("fee")]).toEqual([whole.spend, whole.earnings, whole.fee]);
        let running = Number(settled.spend);
        for (const { amounts, adjustsMonth } of parts) {
          running += amounts.spend;
          expect(running).toBeGreaterThanOrEqual(0);
          expect(amounts.spend).toBe(amounts.earnings + amounts.fee);
          expect(adjustsMonth === null || adjustsMonth < open).toBe(true);
          // Rounding moves less than a cent between the parts.
          const changed = months.filter((one) => (adjustsMonth ? one === adjustsMonth : one >= open));
          const delta = changed.reduce((all, one) => all + now[one] - before[one], 0);
          expect(Math.abs(amounts.spend - delta / 10_000)).toBeLessThan(1);
        }
        expect(new Set(parts.map(({ adjustsMonth }) => adjustsMonth)).size).toBe(parts.length);
      }),
    );
  });
});

const db = useDatabase();
let world: World;
let item: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  world.setNow("2026-11-01T12:00:00Z");
  const changes = { start_date: "2026-11-01", end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
  item = await world.aRunningCampaign({ changes: { ...changes, name: "Packs" } });
});

async function report(on: string, dollars: number, source = "test"): Promise<void> {
  const done = await world.deliver(item, { day: day(on), source, spendMicros: Math.round(dollars * 1e6) });
  expect(done.rejected).toEqual([]);
}
async function settleAt(instant: string): Promise<void> {
  world.setNow(instant);
  await settleDelivery(world.job);
}
const sharesSince = async (instant: string) =>
  (await listRevenueShares(world.harbor, { limit: 100 })).rows
    .filter(({ createdAt }) => createdAt.toISOString() >= instant)
    .map(({ spend, earnings, adjustsMonth }) => [spend, earnings, adjustsMonth]);
const statement = (who: "northwind" | "harbor", of: string) =>
  getStatement(world[who], { month: month(of), limit: 100 });
const expectBooksInOrder = async () => {
  expect(await checkLedger(world.job)).toEqual([]);
  expect(await findBrokenInvariants(db())).toEqual({});
};

test("a late report of an open month is regular; of a closed one it is an adjustment, and closed statements stay", async () => {
  world.setNow("2026-11-21T00:30:00Z");
  await report("2026-11-05", 100);
  await report("2026-11-20", 50.5);
  await settleAt("2026-11-21T01:00:00Z");
  world.setNow("2026-12-20T00:30:00Z");
  await report("2026-12-10", 20);
  await settleAt("2027-01-14T23:00:00Z");
  await report("2026-11-05", 90);
  await settleAt("2027-01-14T23:30:00Z");
  expect(await sharesSince("2027-01-14T23:30:00.000Z")).toEqual([[-1_000, -700, null]]);

  const closed = [await statement("northwind", "2026-11"), await statement("harbor", "2026-12")];
  const adSpend = await sumAdSpend(world.northwind);
  world.setNow("2027-01-20T12:00:00Z");
  await report("2026-11-05", 0);
  await report("2026-11-21", 3.333333, "another");
  await report("2027-01-19", 7);
  await settleAt("2027-01-20T13:00:00Z");
  // One regular part, and one for all changes of November: −90 + 3.333333.
  expect(await sharesSince("2027-01-20T00:00:00.000Z")).toEqual(
    expect.arrayContaining([
      [700, 490, null],
      [-8_667, -6_067, "2026-11-01"],
    ]),
  );
  expect([await statement("northwind", "2026-11"), await statement("harbor", "2026-12")]).toEqual(closed);
  expect(await sumAdSpend(world.northwind)).toBe(adSpend + 700 - 8_667);
  const lines = (await statement("northwind", "2027-01")).rows.filter(({ adjustsMonth }) => adjustsMonth);
  expect(lines).toMatchObject([{ description: "Packs", amount: 8_667, event: "campaign_spend" }]);
  expect(lines.map((line) => statementLabel(line, "advertiser"))).toEqual(["Adjustment for November 2026"]);
  const [transaction] = (await listTransactions(world.northwind, { limit: 100 })).rows.filter(
    (one) => one.adjustsMonth,
  );
  expect(transaction).toMatchObject({ type: "campaign_spend", amount: -8_667, adjustsMonth: "2026-11-01" });

  // The same figures again change nothing; another restatement adjusts from what was booked last.
  await report("2026-11-05", 0);
  await settleAt("2027-01-21T13:00:00Z");
  expect(await sharesSince("2027-01-21T00:00:00.000Z")).toEqual([]);
  await report("2026-11-05", 10);
  await settleAt("2027-01-22T13:00:00Z");
  expect(await sharesSince("2027-01-22T00:00:00.000Z")).toEqual([[1_000, 700, "2026-11-01"]]);
  await expectBooksInOrder();
});

test("what a closed month loses is taken from the next payouts, which are never negative", async () => {
  world.setNow("2027-03-01T12:00:00Z");
  const free = async () => (await getPayoutBalance(world.harbor)).available;
  await report("2027-02-10", 1_000);
  await settleAt("2027-03-12T12:00:00Z");
  world.setNow("2027-04-01T02:00:00Z");
  await startMonthlyPayouts(world.job);
  await sendDuePayouts(world.job);
  const [paid] = (await listPayouts(world.harbor, { limit: 1 })).rows;
  expect(paid).toMatchObject({ status: "paid" });
  expect(await free()).toBe(0);

  // February is closed on April 14.
  world.setNow("2027-04-20T12:00:00Z");
  await report("2027-02-10", 0);
  await settleAt("2027-04-20T13:00:00Z");
  expect(await sharesSince("2027-04-20T00:00:00.000Z")).toEqual([[-100_000, -70_000, "2027-02-01"]]);
  world.setNow("2027-05-01T02:00:00Z");
  await startMonthlyPayouts(world.job);
  await sendDuePayouts(world.job);
  expect((await listPayouts(world.harbor, { limit: 1 })).rows[0]?.id).toBe(paid?.id);

  await report("2027-04-30", 1_200);
  await settleAt("2027-05-02T12:00:00Z");
  world.setNow("2027-06-01T02:00:00Z");
  await startMonthlyPayouts(world.job);
  await sendDuePayouts(world.job);
  const [next] = (await listPayouts(world.harbor, { limit: 1 })).rows;
  expect(next).toMatchObject({ status: "paid", amount: 84_000 - 70_000 });
  const lines = await listPayoutLines(world.harbor, { id: next?.id ?? expect.fail() });
  expect(lines.map(({ earnings, adjustsMonth }) => [earnings, adjustsMonth]).sort()).toEqual(
    [
      [84_000, null],
      [-70_000, "2027-02-01"],
    ].sort(),
  );
  const api = await clientOf(demoUserId("harbor"));
  const { body } = await api("GET /api/billing/payouts/{id}", { params: { id: next?.id ?? "" } });
  expect(body.lines.map((line) => [line.publisher_earnings, line.adjusts_month]).sort()).toEqual(
    [
      [840, null],
      [-700, "2027-02"],
    ].sort(),
  );
  await expectBooksInOrder();
});

test("the first report of a day of a closed month is an adjustment too", async () => {
  world.setNow("2027-01-20T12:00:00Z");
  await report("2026-11-03", 40);
  await report("2027-01-19", 60);
  await settleAt("2027-01-20T13:00:00Z");
  expect((await sharesSince("2027-01-20T13:00:00.000Z")).map(([spend, , adjusts]) => [spend, adjusts])).toEqual(
    expect.arrayContaining([
      [4_000, "2026-11-01"],
      [6_000, null],
    ]),
  );
  await expectBooksInOrder();
});

test("months that close while reports and settlements run leave each change in one month, and the books in order", async () => {
  world.setNow("2026-11-09T12:00:00Z");
  await report("2026-11-05", 30);
  await settleAt("2026-11-10T01:00:00Z");
  for (let round = 0; round < 6; round += 1) {
    const instants = ["2027-01-14T23:59:59.000Z", "2027-01-15T00:00:00.000Z"];
    world.setNow(`2027-01-15T0${round}:00:00Z`);
    await Promise.all([
      ...instants.map((instant) => settleDelivery({ ...world.job, clock: () => new Date(instant) })),
      report("2026-11-05", 30 + round),
      report("2026-12-05", 5 + round),
      settleDelivery({ ...world.job, clock: () => new Date(instants[round % 2] ?? "") }),
    ]);
  }
  await settleAt("2027-01-16T01:00:00Z");
  expect(await settledByMonth()).toEqual({ "2026-11": 35_000_000, "2026-12": 10_000_000 });
  await expectBooksInOrder();
});

const settledRow = z.object({ month: z.string(), micros: z.string() });

/** Returns what is settled of the campaign by month of delivery, in micros. */
async function settledByMonth(): Promise<Record<string, number>> {
  const rows = await queryRows(
    db(),
    settledRow,
    sql`
      select each.key as month, each.value as micros from line_item_settlements known join line_items item on item.id = known.line_item_id
      cross join lateral jsonb_each_text(known.spend_by_month) as each where item.campaign_id = ${item} order by 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.month, Number(row.micros)]));
}

test("whatever is reported when, delivery by month is what is settled for it, and no closed statement changes", async () => {
  const step = fc.record({
    days: fc.integer({ min: 1, max: 25 }),
    reports: fc.array(fc.record({ back: fc.nat(140), micros: fc.nat(900_000_000) }), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      world.setNow("2026-11-01T12:00:00Z");
      const changes = { start_date: "2026-11-01", end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
      item = await world.aRunningCampaign({ changes });
      const closedStatements = new Map<string, unknown>();
      for (const { days, reports } of steps) {
        world.advanceDays(days);
        const today = calendarDateOf(world.clock());
        for (const { back, micros } of reports) {
          const on = [addDays(today, -1 - back), day("2026-11-01")].sort().at(-1) ?? today;
          await world.deliver(item, { day: on, spendMicros: micros });
        }
        await settleDelivery(world.job);
        for (const of of ["2026-11", "2026-12", "2027-01", "2027-02"].filter((one) => one < today.slice(0, 7))) {
          const now = await statement("harbor", of);
          if (closedStatements.has(of)) expect(now).toEqual(closedStatements.get(of));
          closedStatements.set(of, now);
        }
      }
      // Changes that net to less than a cent wait for the next settlement: here it comes.
      await world.deliver(item, { day: calendarDateOf(world.clock()), source: "last", spendMicros: 123_450_000 });
      world.advanceDays(1);
      await settleDelivery(world.job);
      const delivered = await queryRows(
        db(),
        z.object({ month: z.string(), micros: z.string() }),
        sql`
          select to_char(day.day, 'YYYY-MM') as month, sum(day.spend_micros)::text as micros from line_item_days day
          join line_items item on item.id = day.line_item_id where item.campaign_id = ${item} group by 1 having sum(day.spend_micros) <> 0 order by 1`,
      );
      expect(await settledByMonth()).toEqual(
        Object.fromEntries(delivered.map((one) => [one.month, Number(one.micros)])),
      );
      expect(await checkLedger(world.job)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});
