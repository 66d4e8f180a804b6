import { and, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { addDays, type CalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { lineItems } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let firstDay: CalendarDate;
let running: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
});

/** Harbor Goods has $700 released from one day, and $700 held from another, in the same line item. */
beforeEach(async () => {
  firstDay = world.today();
  running = await run();
  await settle(running, 0, 1_000);
  await settle(running, 7, 1_000);
  expect(await balance()).toMatchObject({ held: 70_000, available: 70_000 });
});

/** Pays out what is left, so that the next test begins without earnings. */
afterEach(async () => {
  await sendDuePayouts(world.job);
  world.advanceDays(10);
  const { held, available } = await balance();
  expect(held).toBe(0);
  if (available > 0) await requestPayout(world.harbor, {});
  await sendDuePayouts(world.job);
});

const run = () =>
  world.aRunningCampaign({
    changes: { start_date: world.today(), end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 },
  });

/**
 * Reports the whole spend of a day, counted from the first, at its noon or now if it is over, and settles it a day
 * later.
 */
async function settle(id: CampaignId, dayNumber: number, dollars: number): Promise<void> {
  const day = addDays(firstDay, dayNumber);
  if (world.today() < day) world.setNow(`${day}T12:00:00Z`);
  await world.deliver(id, { day, spendMicros: dollars * 1e6 });
  world.advanceDays(1);
  await settleDelivery(world.job);
}

const balance = () => getPayoutBalance(world.harbor);

async function refund(dollars: number): Promise<void> {
  const [item] = await db()
    .select({ id: lineItems.id })
    .from(lineItems)
    .where(and(eq(lineItems.campaignId, running), eq(lineItems.publisherId, world.accountId("harbor"))));
  if (!item) throw new Error("a running campaign has a line item");
  await refundSpend({ ...asOperator(), clock: world.clock }, { lineItemId: item.id, amount: asCents(dollars * 100) });
}

describe("a correction of held earnings", () => {
  test("is taken from them, and what was released stays available", async () => {
    await settle(running, 7, 100);
    expect(await balance()).toMatchObject({ held: 7_000, available: 70_000 });
    const { id } = await requestPayout(world.harbor, { amount: asCents(70_000) });
    expect(await getPayout(world.harbor, id)).toMatchObject({ amount: 70_000, lines: 1 });
    // The day's hold ends before that of its correction, which is released with it.
    world.setNow(`${addDays(firstDay, 15)}T00:00:00Z`);
    expect(await balance()).toMatchObject({ held: 0, available: 7_000 });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("beyond what the line item has held counts at once, and its payout has every line of that item", async () => {
    await settle(running, 7, 0);
    expect(await balance()).toMatchObject({ held: 0, available: 70_000 });
    await settle(running, 0, 900);
    expect(await balance()).toMatchObject({ held: 0, available: 63_000 });
    const { id } = await requestPayout(world.harbor, { amount: asCents(63_000) });
    const lines = await listPayoutLines(world.harbor, { id });
    expect(lines.map(({ earnings }) => earnings)).toEqual([70_000, 70_000, -70_000, -7_000]);
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("is not covered by what another line item has held", async () => {
    await settle(await run(), 8, 500);
    await settle(running, 7, 0);
    await settle(running, 0, 0);
    expect(await balance()).toMatchObject({ held: 35_000, available: 0 });
  });

  test("that is corrected again is held anew, like all earnings", async () => {
    await settle(running, 7, 0);
    await settle(running, 0, 0);
    expect(await balance()).toMatchObject({ held: 0, available: 0 });
    await settle(running, 0, 1_000);
    expect(await balance()).toMatchObject({ held: 70_000, available: 0 });
  });
});

describe("a refund", () => {
  test("of spend whose earnings are held is taken from them", async () => {
    await refund(1_000);
    expect(await balance()).toMatchObject({ held: 0, available: 70_000 });
  });

  test("is not covered by what is settled later, so that no earnings are available that it takes back", async () => {
    await refund(1_500);
    const available = [(await balance()).available];
    expect(available).toEqual([35_000]);
    for (let day = 9; day <= 20; day += 1) {
      await settle(running, day, 200);
      available.push((await balance()).available);
    }
    expect(available).toEqual(available.toSorted((one, other) => one - other));
    // Of twelve days of $140, those that are held are the last seven.
    expect(await balance()).toMatchObject({ held: 7 * 14_000, available: 35_000 + 5 * 14_000 });
    const { id } = await requestPayout(world.harbor, {});
    expect(await getPayout(world.harbor, id)).toMatchObject({ amount: 35_000 + 5 * 14_000 });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("that is paid out leaves later earnings of its line item held", async () => {
    await refund(1_500);
    await settle(running, 9, 200);
    const { id } = await requestPayout(world.harbor, { amount: asCents(35_000) });
    const lines = await listPayoutLines(world.harbor, { id });
    expect(lines.map(({ earnings }) => earnings)).toEqual([70_000, 70_000, -105_000]);
    expect(await balance()).toMatchObject({ held: 14_000, available: 0 });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("that is canceled because its spend was restated away leaves no debt", async () => {
    world.advanceDays(10);
    await refund(2_000);
    expect(await balance()).toMatchObject({ held: 0, available: 0 });
    await settle(running, 0, 0);
    await settle(running, 7, 0);
    expect(await balance()).toMatchObject({ held: 0, available: 0 });
    expect(await checkLedger(world.job)).toEqual([]);
  });
});
