import { and, eq, isNull, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { paymentProvider } from "#app/domain/billing/payments/provider-of.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import type { SandboxToken } from "#app/domain/billing/payments/sandbox-cards.ts";
import { endPayment } from "#app/domain/billing/payments/sandbox-provider.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { projectedLastDay } from "#app/domain/billing/wallet/funds.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { refreshAllFunds } from "#app/domain/billing/wallet/refresh-funds.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { sendDueOrders } from "#app/domain/delivery/channels/send-due-orders.server.ts";
import { collectReports } from "#app/domain/delivery/collect-reports.server.ts";
import { newId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { accounts, channelOrders, fundsHolds, ledgerTransactions, topUps, transactions } from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  world = await makeWorld(db());
});

/** A new advertiser without anything, at noon of November 20. */
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  const { accountId, userId } = await newMember("advertiser");
  await db().update(fundsHolds).set({ heldAt: world.clock() }).where(eq(fundsHolds.accountId, accountId));
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
});

const operator = () => ({ ...asOperator(), clock: world.clock });
const method = async (token: SandboxToken = "tok_visa", who = advertiser) =>
  (await addPaymentMethod(who, { token })).id;
const topUp = async (
  dollars: number,
  more: { token?: SandboxToken; key?: string; id?: Awaited<ReturnType<typeof method>> } = {},
) =>
  topUpWallet(advertiser, {
    amount: toCents(dollars * 100),
    payment_method_id: more.id ?? (await method(more.token)),
    key: more.key ?? newId(),
    returnPath: () => "/advertiser/billing",
  });
const lines = async () => {
  const own = eq(transactions.accountId, advertiser.actor.accountId);
  const rows = await db().select().from(transactions).where(own).orderBy(transactions.id);
  return rows.map(({ type, status, amountCents }) => `${type} ${status} ${amountCents / 100}`);
};
const wallet = async () => {
  const { balance, reserved, available } = await getWallet(advertiser);
  return [balance, reserved, available].map((cents) => cents / 100);
};

describe("a top-up", () => {
  test("puts the money into the wallet, the books and the account's lines, once", async () => {
    expect(await topUp(250)).toMatchObject({ status: "succeeded", amount: 25_000, failure: null });
    expect(await lines()).toEqual(["top_up succeeded 250"]);
    expect(await wallet()).toEqual([250, 0, 250]);
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test.each([
    ["tok_declined", "The card was declined. Use another payment method, or ask the bank that issued it."],
    ["tok_insufficient_funds", "The card has insufficient funds. Use another payment method."],
  ] as const)("with %s fails in words, and leaves a line and no entry", async (token, failure) => {
    expect(await topUp(100, { token })).toMatchObject({ status: "failed", failure });
    expect(await lines()).toEqual(["top_up failed 100"]);
    expect(await wallet()).toEqual([0, 0, 0]);
  });

  test("with an expired card, another's or a removed one is refused at the field, without a line", async () => {
    const expired = await method("tok_expired");
    const removed = await method();
    await removePaymentMethod(advertiser, { id: removed });
    const foreign = await method("tok_visa", world.northwind);
    for (const id of [expired, removed, foreign]) await expectRefusal(topUp(100, { id }), "invalid_input");
    expect(await lines()).toEqual([]);
  });

  test("sent by twenty at once with one key happens once; with another amount it is refused", async () => {
    const [id, key] = [await method(), "the same"];
    const done = await Promise.all(Array.from({ length: 20 }, () => topUp(75, { id, key })));
    expect(new Set(done.map((one) => `${one.id} ${one.status}`)).size).toBe(1);
    expect(done.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await wallet()).toEqual([75, 0, 75]);
    await expectRefusal(topUp(76, { id, key }), "idempotency_conflict");
    await expectRefusal(topUp(75, { id: await method(), key }), "idempotency_conflict");
    expect(await lines()).toEqual(["top_up succeeded 75"]);
  });

  test("needs a confirmation: waits, and ends as the person says", async () => {
    const asked = await topUp(60, { token: "tok_confirmation" });
    expect(asked).toMatchObject({
      status: "needs_confirmation",
      confirmUrl: expect.stringContaining("/dev/payments/confirm/"),
    });
    expect(await finishTopUp(advertiser, asked)).toMatchObject({ status: "needs_confirmation" });
    expect(await lines()).toEqual(["top_up pending 60"]);
    await endPayment(advertiser, { id: asked.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    const done = await Promise.all([finishTopUp(advertiser, asked), finishTopUp(advertiser, asked)]);
    expect(done.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(await lines()).toEqual(["top_up succeeded 60"]);
    await expectRefusal(finishTopUp(world.northwind, asked), "not_found");
  });

  test("that nobody confirms is over after a day, for the bank too", async () => {
    const { id, confirmUrl } = await topUp(60, { token: "tok_confirmation" });
    world.passDays(0.5);
    await finishDueTopUps(world.job);
    expect(await finishTopUp(advertiser, { id })).toMatchObject({ status: "needs_confirmation" });
    world.passDays(0.6);
    expect(await finishDueTopUps(world.job)).toBe(1);
    expect(await finishTopUp(advertiser, { id })).toMatchObject({ status: "canceled" });
    await endPayment(advertiser, { id: confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    expect(await finishTopUp(advertiser, { id, again: true })).toMatchObject({ status: "canceled" });
    expect(await lines()).toEqual(["top_up canceled 60"]);
  });

  test("cut off before or after the charge is finished by the job, by two processes at once, exactly once", async () => {
    const id = await method();
    const own = eq(topUps.accountId, advertiser.actor.accountId);
    // As it is written before the provider is asked: what follows was cut off.
    const begun = { id: newId<never>(), transactionId: newId<never>() };
    await db().insert(transactions).values({
      id: begun.transactionId,
      accountId: advertiser.actor.accountId,
      type: "top_up",
      status: "pending",
      description: "Wallet top-up",
      amountCents: 4_000,
      createdAt: world.clock(),
    });
    await db()
      .insert(topUps)
      .values({
        ...begun,
        accountId: advertiser.actor.accountId,
        paymentMethodId: id,
        provider: "sandbox",
        amountCents: 4_000,
        status: "pending",
        idempotencyKey: "cut",
        returnPath: "/back",
        createdAt: world.clock(),
        dueAt: world.clock(),
      });
    // Nobody knows whether it was charged: without its token nobody could ask.
    await expectRefusal(removePaymentMethod(advertiser, { id }), "invalid_transition");
    // The provider was reached, and its answer was not.
    const request = {
      amount: 4_000,
      token: "tok_visa",
      description: "Endcap wallet top-up",
      returnPath: "/back",
    } as const;
    await paymentProvider(advertiser).charge({ ...request, key: `top_up/${begun.id}` });
    const ended = await Promise.all([1, 2, 3].map(() => finishDueTopUps(world.job)));
    expect(ended.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect((await db().select().from(topUps).where(own)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect(await wallet()).toEqual([40, 0, 40]);
    await removePaymentMethod(advertiser, { id });
    expect(
      await db().$count(
        ledgerTransactions,
        sql`event_key like 'top_up/%' and id in (select ledger_transaction_id from transactions where account_id = ${advertiser.actor.accountId})`,
      ),
    ).toBe(1);
  });
});

test("removing a method while it is charged loses no money: either it stays until that is over, or nothing was charged", async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await method();
    const before = (await getWallet(advertiser)).balance;
    const remove = () => removePaymentMethod(advertiser, { id }).catch(() => undefined);
    const [done] = await Promise.allSettled([topUp(50, { id }), remove(), remove(), remove()]);
    await remove();
    await finishDueTopUps(world.job);
    const taken = await queryRows(
      db(),
      z.object({ cents: z.number() }),
      sql`
        select coalesce(sum(paid.amount_cents), 0)::int as cents from sandbox_payments paid join top_ups t on paid.key = 'top_up/' || t.id
        where paid.state = 'succeeded' and t.payment_method_id = ${id}`,
    );
    expect((await getWallet(advertiser)).balance - before).toBe(taken[0]?.cents);
    if (done.status === "fulfilled") expect(["succeeded", "failed"]).toContain(done.value.status);
  }
});

describe("an amount", () => {
  const read = (amount: unknown) => topUpSchema.safeParse({ amount, payment_method_id: newId() });
  test.each([
    9.99,
    0,
    -50,
    "-50",
    100_000.01,
    1e15,
    1e21,
    Number.NaN,
    "NaN",
    "1e3",
    10.001,
    "10.001",
    "",
    null,
    undefined,
    [10],
    true,
  ])("%s is refused at its field", (amount) => {
    expect(read(amount).error?.issues.map(({ path }) => path[0])).toEqual(["amount"]);
  });
  test.each([
    [10, 1_000],
    ["1,200.50", 120_050],
    [100_000, 10_000_000],
  ])("%s is %i cents", (amount, cents) => {
    expect(read(amount).data?.amount).toBe(cents);
  });
});

describe("funds", () => {
  /** A campaign of the advertiser's that its publisher approved, from today on. */
  const running = () =>
    world.aRunningCampaign({ by: advertiser, changes: { start_date: "2026-11-20", end_date: "2026-11-30" } });
  const orders = async (id: string) => {
    const rows = await db()
      .select()
      .from(channelOrders)
      .where(sql`line_item_id in (select id from line_items where campaign_id = ${id})`);
    return [...new Set(rows.map(({ wanted, state }) => `${wanted} ${state}`))];
  };
  const deliveryOf = async (id: Awaited<ReturnType<typeof running>>) =>
    (await getCampaign(advertiser, id)).lineItems[0]?.delivery;

  test("without any a launched campaign waits: no channel is told, and it goes on with a top-up", async () => {
    const id = await running();
    expect(await orders(id)).toEqual([]);
    expect(await deliveryOf(id)).toEqual({ may: false, reason: "no_funds" });
    await topUp(500);
    await sendDueOrders(world.job);
    expect(await orders(id)).toEqual(["active active"]);
    expect(await deliveryOf(id)).toMatchObject({ may: true });
  });

  test("used up stop the channels; what came meanwhile is owed, and paid by the next top-up first", async () => {
    await topUp(20);
    const id = await running();
    await sendDueOrders(world.job);
    await world.deliver(id, { spendMicros: 19_990_000 });
    expect(await refreshAllFunds(world.job)).toBe(0);
    expect(await wallet()).toEqual([20, 500, 0]);
    await world.deliver(id, { spendMicros: 26_000_000 });
    expect(await refreshAllFunds(world.job)).toBe(1);
    await sendDueOrders(world.job);
    expect(await orders(id)).toEqual(["paused paused"]);
    expect(await wallet()).toEqual([20, 26, 0]);
    await world.deliver(id, { spendMicros: 31_000_000 });
    world.setNow("2026-11-21T01:00:00Z");
    await settleDelivery(world.job);
    expect(await wallet()).toEqual([-11, 0, 0]);
    await topUp(10);
    expect(await orders(id)).toEqual(["paused paused"]);
    expect(await wallet()).toEqual([-1, 0, 0]);
    await topUp(100);
    await sendDueOrders(world.job);
    expect(await orders(id)).toEqual(["active active"]);
    const { owed } = await getWallet(advertiser);
    expect([owed, ...(await wallet())]).toEqual([0, 99, 500, 0]);
    expect(await checkLedger(world.job)).toEqual([]);
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("of a credit are funds too", async () => {
    const id = await running();
    const { accountId } = advertiser.actor;
    for (const cents of [-1, 1_000_000_001]) {
      await expectRefusal(setCreditLimit(operator(), { accountId, amount: toCents(cents) }), "invalid_input");
    }
    const publisher = { accountId: world.accountId("harbor"), amount: toCents(1) };
    await expectRefusal(setCreditLimit(operator(), publisher), "not_found");
    await setCreditLimit(operator(), { accountId, amount: toCents(5_000) });
    expect(await deliveryOf(id)).toMatchObject({ may: true });
    await world.deliver(id, { spendMicros: 50_000_000 });
    await refreshAllFunds(world.job);
    expect(await deliveryOf(id)).toEqual({ may: false, reason: "no_funds" });
  });

  test("while they are used up nothing is made up by the sandbox either", async () => {
    const id = await running();
    const day = { from: new Date("2026-11-20T12:00:00Z"), until: new Date("2026-11-21T00:00:00Z") };
    world.setNow("2026-11-21T00:00:00Z");
    await collectReports(world.job, day);
    expect((await getCampaign(advertiser, id)).impressions).toBe(0);
    await topUp(500);
    world.setNow("2026-11-22T00:00:00Z");
    await collectReports(world.job, { from: day.until, until: world.clock() });
    expect((await getCampaign(advertiser, id)).impressions).toBeGreaterThan(0);
  });

  test("that end while a campaign is approved leave no order behind", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await world.aLaunchedCampaign({ by: advertiser, changes: { start_date: "2026-11-20" } });
      const limit = (creditLimitCents: number) =>
        db().update(accounts).set({ creditLimitCents }).where(eq(accounts.id, advertiser.actor.accountId));
      await limit(5_000);
      await refreshAllFunds(world.job);
      await limit(0);
      const { reviewCampaign } = await import("#app/domain/campaigns/review-campaign.server.ts");
      await Promise.all([reviewCampaign(world.harbor, { id, action: "approve" }), refreshAllFunds(world.job)]);
      await refreshAllFunds(world.job);
      expect((await orders(id)).filter((one) => one.startsWith("active"))).toEqual([]);
      const open = and(eq(fundsHolds.accountId, advertiser.actor.accountId), isNull(fundsHolds.releasedAt));
      expect(await db().$count(fundsHolds, open)).toBe(1);
    }
    expect(await findBrokenInvariants(db())).toEqual({});
  });
});

test.each([
  [700, 700, "2026-11-27"],
  [699, 700, "2026-11-26"],
  [800, 700, null],
  [0, 700, "2026-11-20"],
  [-50, 700, "2026-11-20"],
  [1_000, 0, null],
])("with %i cents left and %i spent in a week the last day is %s", (left, lastWeek, day) => {
  const today = "2026-11-20" as CalendarDate;
  expect(projectedLastDay({ left: toCents(left), lastWeek: toCents(lastWeek) }, today)).toBe(day);
});
