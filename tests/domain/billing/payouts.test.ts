import { and, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { lockLedgerAccounts } from "#app/domain/billing/ledger/ledger-accounts.server.ts";
import { listRevenueShares, sumEarnings } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getPayout, listPayoutLines, listPayouts } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { returnPayout } from "#app/domain/billing/payouts/return-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { failPayout, settlePayout } from "#app/domain/billing/payouts/settle-payout.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignId, PayoutId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { type PayoutProvider, PayoutProviderError } from "#app/domain/payments/payout-provider.ts";
import { sandboxPayouts } from "#app/domain/payments/sandbox/sandbox-payouts.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { withDeadline } from "#db/client.server.ts";
import { payoutAccounts, payoutRuns, payouts, revenueShares, sandboxTransfers } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let running: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
  const changes = { start_date: "2026-11-20", end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
  running = await world.aRunningCampaign({ changes });
});
beforeEach(() => setPayoutAccount(world.harbor, { token: "bank_sandbox" }));

/** Settles one day's spend in the following night and leaves the clock there. */
async function earn(day: string, dollars: number): Promise<void> {
  world.setNow(`${day}T12:00:00Z`);
  await world.deliver(running, { day: day as CalendarDate, spendMicros: Math.round(dollars * 1e6) });
  world.advanceDays(1);
  await settleDelivery(world.job);
}

const balance = () => getPayoutBalance(world.harbor);
const request = (amount?: number) =>
  requestPayout(world.harbor, { amount: amount === undefined ? undefined : asCents(amount) });
const newest = async () => (await listPayouts(world.harbor, { limit: 1 })).rows[0];
const send = () => sendDuePayouts(world.job);

describe("a payout", () => {
  test("holds settled earnings for seven days, pays them out from $50 on, and accounts for all of them", async () => {
    await earn("2026-11-20", 100);
    expect(await balance()).toMatchObject({
      earned: 7_000,
      held: 7_000,
      available: 0,
      next: { date: "2026-12-01", amount: 7_000 },
    });
    world.setNow("2026-11-27T23:59:00Z");
    await expectDomainError(
      request(),
      "limit_reached",
      /The minimum payout is \$50\.00\. You have \$0\.00 available\./,
    );
    world.setNow("2026-11-28T00:00:00Z");
    await expectDomainError(request(6_999), "invalid_input");
    // A payout of many revenue shares takes longer than a request's statements may.
    const { id } = await requestPayout(withDeadline(world.harbor, 1), { amount: asCents(7_000) });
    expect(await balance()).toMatchObject({ earned: 7_000, held: 0, available: 0, inTransit: 7_000, paid: 0 });
    expect(await newest()).toMatchObject({
      id,
      status: "pending",
      amount: 7_000,
      lastFour: "6789",
      scheduledFor: null,
    });
    await expectDomainError(request(), "invalid_transition");
    expect(await send()).toBe(2);
    expect(await send()).toBe(0);
    expect(await balance()).toMatchObject({ earned: 7_000, inTransit: 0, paid: 7_000 });
    expect(await getPayout(world.harbor, id)).toMatchObject({ status: "paid", lines: 1, spend: 10_000, fee: 3_000 });
    expect(await listPayoutLines(world.harbor, { id })).toMatchObject([
      {
        number: 1,
        campaignName: "Ridgeline Packs",
        settledThrough: "2026-11-20",
        spend: 10_000,
        fee: 3_000,
        earnings: 7_000,
      },
    ]);
    expect((await listRevenueShares(world.harbor, {})).rows).toMatchObject([{ status: "paid" }]);
    expect((await listTransactions(world.harbor, {})).rows).toMatchObject([
      { type: "payout", status: "succeeded", amount: 7_000, description: "Payout to Sandbox Bank ending 6789" },
    ]);
    expect(await checkLedger(world.job)).toEqual([]);
    await expectDomainError(getPayout(world.fern, id), "not_found");
    expect(await listPayoutLines(world.fern, { id })).toEqual([]);
  });

  test("that another transaction starts keeps no second request waiting", async () => {
    await inTransaction(world.harbor, async (tx) => {
      const payable = { account: "publisher_payable" as const, ownerId: world.accountId("harbor") };
      await lockLedgerAccounts(tx, [payable, { account: "in_transit" }]);
      await expect(request()).rejects.toMatchObject({ cause: { code: "55P03" } });
    });
  });

  test("that is returned is in the balance again, with its reason, and a reversal is deducted from the next", async () => {
    await setPayoutAccount(world.harbor, { token: "bank_closed" });
    await earn("2026-12-01", 200);
    world.setNow("2026-12-10T00:00:00Z");
    const { id } = await request();
    await send();
    expect(await getPayout(world.harbor, id)).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("closed"),
    });
    expect(await balance()).toMatchObject({ available: 14_000, inTransit: 0 });
    expect(await listPayoutLines(world.harbor, { id })).toHaveLength(1);
    // The day is restated downwards: what was earned by it counts less at once, though that was settled just now.
    await world.deliver(running, { day: "2026-12-01" as CalendarDate, spendMicros: 90_000_000 });
    await settleDelivery(world.job);
    expect(await balance()).toMatchObject({ available: 6_300, held: 0 });
    await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
    const next = await request();
    await send();
    expect(await getPayout(world.harbor, next.id)).toMatchObject({ status: "paid", amount: 6_300, lines: 2 });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("that was paid and is restated makes the balance negative, and nothing is paid out until it is positive", async () => {
    await world.deliver(running, { day: "2026-12-01" as CalendarDate, spendMicros: 0 });
    await settleDelivery(world.job);
    expect(await balance()).toMatchObject({ available: -6_300 });
    await expectDomainError(request(), "limit_reached");
    await earn("2026-12-12", 150);
    world.setNow("2026-12-25T00:00:00Z");
    expect(await balance()).toMatchObject({ available: 4_200 });
    await expectDomainError(request(), "limit_reached");
  });

  test("requires a bank account", async () => {
    await db()
      .delete(payoutAccounts)
      .where(eq(payoutAccounts.publisherId, world.accountId("harbor")));
    await expectDomainError(request(), "invalid_transition");
    await expectDomainError(setPayoutAccount(world.harbor, { token: "bank_of_others" }), "invalid_input");
  });
});

describe("automatically once a month,", () => {
  test("pays what was released by the first, and skips publishers with less than $50", async () => {
    await earn("2026-12-26", 100);
    await earn("2027-01-01", 500);
    world.setNow("2027-01-04T06:00:00Z");
    expect(await startMonthlyPayouts(world.job)).toBe(0);
    world.setNow("2027-02-01T00:00:00Z");
    expect(await Promise.all([0, 1, 2, 3].map(() => startMonthlyPayouts(world.job)))).toContain(1);
    expect(await newest()).toMatchObject({ amount: 4_200 + 42_000, scheduledFor: "2027-02-01", status: "pending" });
    await send();
    expect(await startMonthlyPayouts(world.job)).toBe(0);
    expect((await db().select().from(payoutRuns)).map(({ month }) => month).sort()).toEqual([
      "2027-01-01",
      "2027-02-01",
    ]);
  });

  test("continues an interrupted run, and pays nobody twice for the month", async () => {
    await earn("2027-02-02", 300);
    world.setNow("2027-02-20T00:00:00Z");
    await db()
      .delete(payoutRuns)
      .where(eq(payoutRuns.month, "2027-02-01" as CalendarDate));
    expect(await startMonthlyPayouts(world.job)).toBe(0);
    expect(await balance()).toMatchObject({ available: 21_000 });
    expect(await checkLedger(world.job)).toEqual([]);
  });
});

test("of 20 concurrent requests for one balance exactly one is created", async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => request()));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of results)
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_transition" });
  expect(await balance()).toMatchObject({ available: 0, inTransit: 21_000 });
  expect(await checkLedger(world.job)).toEqual([]);
});

/**
 * Interrupts the process after each step: before the request to the bank, after it, and before the response is stored.
 */
test("is continued by the job wherever its sending was interrupted, and sent to the bank once", async () => {
  const open = await newest();
  let left = 3;
  const sent: string[] = [];
  const end = () => {
    left -= 1;
    throw new Error("killed");
  };
  const breaking: PayoutProvider = {
    async send(ctx, transfer) {
      sent.push(transfer.payoutId);
      if (left === 3) end();
      const answer = await sandboxPayouts.send(ctx, transfer);
      if (left === 2) end();
      return answer;
    },
    async getStatus(ctx, reference) {
      if (left === 1) end();
      return sandboxPayouts.getStatus(ctx, reference);
    },
  };
  for (let round = 0; round < 3; round += 1) {
    await expect(sendDuePayouts(world.job, () => breaking)).rejects.toThrow("killed");
    expect(await sendDuePayouts(world.job, () => breaking)).toBe(0);
    world.setNow(new Date(world.clock().getTime() + 130_000).toISOString());
  }
  // Another process has claimed the payout at the same time.
  await Promise.all([0, 1, 2, 3].map(() => sendDuePayouts(world.job, () => breaking)));
  expect(await newest()).toMatchObject({ id: open?.id, status: "paid" });
  expect(new Set(sent).size).toBe(1);
  expect(await db().$count(sandboxTransfers, eq(sandboxTransfers.payoutId, open?.id as never))).toBe(1);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("is checked again later when the bank is unreachable or slow", async () => {
  await earn("2027-03-01", 100);
  world.setNow("2027-03-12T00:00:00Z");
  const { id } = await request();
  const silentProvider: PayoutProvider = {
    send: async () => {
      throw new PayoutProviderError("no answer");
    },
    getStatus: async () => ({ status: "in_transit" }),
  };
  expect(await sendDuePayouts(world.job, () => silentProvider)).toBe(0);
  const [row] = await db().select().from(payouts).where(eq(payouts.id, id));
  expect(row).toMatchObject({ status: "pending", failures: 1, dueAt: new Date("2027-03-12T00:01:00Z") });
  world.setNow("2027-03-12T00:01:00Z");
  expect(await sendDuePayouts(world.job, () => ({ ...silentProvider, send: sandboxPayouts.send }))).toBe(1);
  expect(await newest()).toMatchObject({ status: "in_transit" });
  expect(await sendDuePayouts(world.job, () => silentProvider)).toBe(0);
  world.setNow("2027-03-12T01:00:00Z");
  expect(await send()).toBe(1);
});

describe("while the lines of one publisher's payout are written,", () => {
  /**
   * Calls `change` for Harbor Goods, which waits for the lock on its shares, and `meanwhile` before the lock is
   * released.
   */
  async function whileItWaits<T>(change: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
    let waiting: Promise<T> | undefined;
    await db().transaction(async (tx) => {
      await tx.execute(
        sql`select from ${revenueShares} where ${revenueShares.publisherId} = ${world.accountId("harbor")} for update`,
      );
      waiting = deferRejection(change());
      await waitForBlockedSessions(db(), 1);
      await meanwhile();
    });
    return waiting as Promise<T>;
  }
  /** Returns a payout as it is at the bank. */
  const send = async (id: PayoutId) => {
    const at = { status: "in_transit" as const, reference: `transfer ${id}` };
    const [row] = await db().update(payouts).set(at).where(eq(payouts.id, id)).returning();
    return { ...(row as NonNullable<typeof row>), amount: asCents(row?.amountCents ?? 0) };
  };

  test("another publisher's is started, arrives and is returned", async () => {
    const changes = { start_date: world.today(), end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
    const other = await world.aRunningCampaign({ audiences: ["coffeeDrinkers"], approvedBy: ["fern"], changes });
    await setPayoutAccount(world.fern, { token: "bank_sandbox" });
    const audienceId = world.audience("coffeeDrinkers");
    await world.deliver(other, { day: world.today(), audienceId, spendMicros: 100_000_000 });
    await earn(world.today(), 100);
    world.advanceDays(10);

    const requestOfFern = () => requestPayout(world.fern, {});
    let ofFern: PayoutId | undefined;
    const { id } = await whileItWaits(request, async () => {
      ofFern = (await requestOfFern()).id;
    });
    const [harbors, ferns] = [await send(id), await send(ofFern as PayoutId)];
    const settle = (payout: typeof harbors) => settlePayout(world.job, { ...payout, dueAt: null });
    const returned = (payout: typeof harbors) => returnPayout(world.job, { ...payout, reason: "closed" });
    await whileItWaits(
      () => settle(harbors),
      () => settle(ferns),
    );
    await whileItWaits(
      () => returned(harbors),
      () => returned(ferns),
    );
    const again = await send((await request()).id);
    await whileItWaits(() => failPayout(world.job, { ...again, reason: "closed" }), requestOfFern);
    expect(await getPayout(world.harbor, again.id)).toMatchObject({ status: "failed", amount: harbors.amount });
    expect(await checkLedger(world.job)).toEqual([]);
  });
});

test("after any earnings, reversals, requests and returns, the held, available, in-transit and paid amounts add up to all earnings", async () => {
  const step = fc.record({
    days: fc.integer({ min: 1, max: 9 }),
    spend: fc.integer({ min: 0, max: 400_000_000 }),
    restated: fc.integer({ min: 0, max: 300_000_000 }),
    closed: fc.boolean(),
  });
  let day = Date.parse("2027-04-01T12:00:00Z");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
      for (const { days, spend, restated, closed } of steps) {
        const before = new Date(day).toISOString().slice(0, 10) as CalendarDate;
        day += days * 86_400_000;
        world.setNow(new Date(day).toISOString());
        await world.deliver(running, { day: before, spendMicros: restated });
        await world.deliver(running, { spendMicros: spend });
        world.setNow(new Date(day + 86_400_000).toISOString());
        await settleDelivery(world.job);
        await setPayoutAccount(world.harbor, { token: closed ? "bank_closed" : "bank_sandbox" });
        const was = await balance();
        const asked = request();
        if (was.available < 5_000) await expectDomainError(asked, "limit_reached");
        else expect(await getPayout(world.harbor, (await asked).id)).toMatchObject({ amount: was.available });
        await send();
        const is = await balance();
        expect(is.held + is.available + is.inTransit + is.paid).toBe(is.earned);
        expect(is.earned).toBe(await sumEarnings(world.harbor));
        expect(is.paid).toBe(was.available >= 5_000 && !closed ? was.paid + was.available : was.paid);
      }
      expect(await checkLedger(world.job)).toEqual([]);
    }),
    { numRuns: 6 },
  );
});

test("that was paid stays paid", async () => {
  const undo = [
    db().update(revenueShares).set({ status: "pending" }).where(eq(revenueShares.status, "paid")),
    db()
      .update(revenueShares)
      .set({ payoutId: null })
      .where(and(eq(revenueShares.status, "paid"), sql`true`)),
    db().update(payouts).set({ status: "failed", failure: "x" }).where(eq(payouts.status, "paid")),
  ];
  for (const one of undo) await expect(one).rejects.toThrow();
});
