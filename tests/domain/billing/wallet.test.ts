import { and, eq, isNull, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { projectedLastDay } from "#app/domain/billing/wallet/funds.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { syncAllFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { sendDueActivations } from "#app/domain/delivery/channels/send-due-activations.server.ts";
import { collectReports } from "#app/domain/delivery/collect-reports.server.ts";
import { newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import type { SandboxToken } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import { resolveSandboxPayment } from "#app/domain/payments/sandbox/sandbox-provider.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import {
  accounts,
  channelActivations,
  fundsHolds,
  ledgerTransactions,
  topUps,
  transactions,
} from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  world = await createWorld(db());
});

/** Each test begins at noon of November 20 with a new advertiser that has no funds or campaigns. */
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
    amount: asCents(dollars * 100),
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
  test("adds to the wallet, the books and the account's transactions, once", async () => {
    expect(await topUp(250)).toMatchObject({ status: "succeeded", amount: 25_000, failure: null });
    expect(await lines()).toEqual(["top_up succeeded 250"]);
    expect(await wallet()).toEqual([250, 0, 250]);
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test.each([
    ["tok_declined", "The card was declined. Use another payment method or contact your bank."],
    ["tok_insufficient_funds", "The card has insufficient funds. Use another payment method."],
  ] as const)("with %s fails with a message, and leaves a transaction and no ledger entry", async (token, failure) => {
    expect(await topUp(100, { token })).toMatchObject({ status: "failed", failure });
    expect(await lines()).toEqual(["top_up failed 100"]);
    expect(await wallet()).toEqual([0, 0, 0]);
  });

  test("with an expired card, another's or a removed one is rejected at the field, without a transaction", async () => {
    const expired = await method("tok_expired");
    const removed = await method();
    await removePaymentMethod(advertiser, { id: removed });
    const foreign = await method("tok_visa", world.northwind);
    for (const id of [expired, removed, foreign]) await expectDomainError(topUp(100, { id }), "invalid_input");
    expect(await lines()).toEqual([]);
  });

  test("sent by twenty at once with one key is made once; with another amount it is rejected", async () => {
    const [id, key] = [await method(), "the same"];
    const topUpReplies = await Promise.all(Array.from({ length: 20 }, () => topUp(75, { id, key })));
    expect(new Set(topUpReplies.map((one) => `${one.id} ${one.status}`)).size).toBe(1);
    expect(topUpReplies.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await wallet()).toEqual([75, 0, 75]);
    await expectDomainError(topUp(76, { id, key }), "idempotency_conflict");
    await expectDomainError(topUp(75, { id: await method(), key }), "idempotency_conflict");
    expect(await lines()).toEqual(["top_up succeeded 75"]);
  });

  test("that needs confirmation waits, and ends as the person decides", async () => {
    const topUpReply = await topUp(60, { token: "tok_confirmation" });
    expect(topUpReply).toMatchObject({
      status: "needs_confirmation",
      confirmUrl: expect.stringContaining("/dev/payments/confirm/"),
    });
    expect(await finishTopUp(advertiser, topUpReply)).toMatchObject({ status: "needs_confirmation" });
    expect(await lines()).toEqual(["top_up pending 60"]);
    await resolveSandboxPayment(advertiser, { id: topUpReply.confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    const topUpReplies = await Promise.all([finishTopUp(advertiser, topUpReply), finishTopUp(advertiser, topUpReply)]);
    expect(topUpReplies.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(await lines()).toEqual(["top_up succeeded 60"]);
    await expectDomainError(finishTopUp(world.northwind, topUpReply), "not_found");
  });

  test("that nobody confirms expires after a day, at the bank too", async () => {
    const { id, confirmUrl } = await topUp(60, { token: "tok_confirmation" });
    world.advanceDays(0.5);
    await finishDueTopUps(world.job);
    expect(await finishTopUp(advertiser, { id })).toMatchObject({ status: "needs_confirmation" });
    world.advanceDays(0.6);
    expect(await finishDueTopUps(world.job)).toBe(1);
    expect(await finishTopUp(advertiser, { id })).toMatchObject({ status: "canceled" });
    await resolveSandboxPayment(advertiser, { id: confirmUrl?.split("/").at(-1) ?? "", confirmed: true });
    expect(await finishTopUp(advertiser, { id, recheck: true })).toMatchObject({ status: "canceled" });
    expect(await lines()).toEqual(["top_up canceled 60"]);
  });

  test("interrupted before or after the charge is finished by the job, by two processes at once, exactly once", async () => {
    const id = await method();
    const own = eq(topUps.accountId, advertiser.actor.accountId);
    // This is the row as stored before the request to the provider, as if the process had stopped there.
    const pendingTopUp = { id: newId<never>(), transactionId: newId<never>() };
    await db().insert(transactions).values({
      id: pendingTopUp.transactionId,
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
        ...pendingTopUp,
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
    // The outcome of the charge is unknown, and only the token can look it up.
    await expectDomainError(removePaymentMethod(advertiser, { id }), "invalid_transition");
    // The provider processed the request, but its response was lost.
    const request = {
      amount: 4_000,
      token: "tok_visa",
      description: "Endcap wallet top-up",
      returnPath: "/back",
    } as const;
    await paymentProvider(advertiser).charge({ ...request, key: `top_up/${pendingTopUp.id}` });
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

test("removing a method during its charge loses no money: either it stays until that ends, or nothing was charged", async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await method();
    const before = (await getWallet(advertiser)).balance;
    const remove = () => removePaymentMethod(advertiser, { id }).catch(() => undefined);
    const [topUpReplies] = await Promise.allSettled([topUp(50, { id }), remove(), remove(), remove()]);
    await remove();
    await finishDueTopUps(world.job);
    const charged = await queryRows(
      db(),
      z.object({ cents: z.number() }),
      sql`
        select coalesce(sum(paid.amount_cents), 0)::int as cents from sandbox_payments paid join top_ups t on paid.key = 'top_up/' || t.id
        where paid.state = 'succeeded' and t.payment_method_id = ${id}`,
    );
    expect((await getWallet(advertiser)).balance - before).toBe(charged[0]?.cents);
    if (topUpReplies.status === "fulfilled") expect(["succeeded", "failed"]).toContain(topUpReplies.value.status);
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
  ])("%s is rejected at its field", (amount) => {
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
  const activationStates = async (id: string) => {
    const rows = await db()
      .select()
      .from(channelActivations)
      .where(sql`line_item_id in (select id from line_items where campaign_id = ${id})`);
    return [...new Set(rows.map(({ desiredState, confirmedState }) => `${desiredState} ${confirmedState}`))];
  };
  const deliveryOf = async (id: Awaited<ReturnType<typeof running>>) =>
    (await getCampaign(advertiser, id)).lineItems[0]?.delivery;

  test("that are missing put a launched campaign on hold: no channel is activated, and a top-up resumes it", async () => {
    const id = await running();
    expect(await activationStates(id)).toEqual([]);
    expect(await deliveryOf(id)).toEqual({ eligible: false, reason: "no_funds" });
    await topUp(500);
    await sendDueActivations(world.job);
    expect(await activationStates(id)).toEqual(["active active"]);
    expect(await deliveryOf(id)).toMatchObject({ eligible: true });
  });

  test("that are used up pause the channels; later delivery is owed, and paid first by the next top-up", async () => {
    await topUp(20);
    const id = await running();
    await sendDueActivations(world.job);
    await world.deliver(id, { spendMicros: 19_990_000 });
    expect(await syncAllFundsHolds(world.job)).toBe(0);
    expect(await wallet()).toEqual([20, 500, 0]);
    await world.deliver(id, { spendMicros: 26_000_000 });
    expect(await syncAllFundsHolds(world.job)).toBe(1);
    await sendDueActivations(world.job);
    expect(await activationStates(id)).toEqual(["paused paused"]);
    expect(await wallet()).toEqual([20, 26, 0]);
    await world.deliver(id, { spendMicros: 31_000_000 });
    world.setNow("2026-11-21T01:00:00Z");
    await settleDelivery(world.job);
    expect(await wallet()).toEqual([-11, 0, 0]);
    await topUp(10);
    expect(await activationStates(id)).toEqual(["paused paused"]);
    expect(await wallet()).toEqual([-1, 0, 0]);
    await topUp(100);
    await sendDueActivations(world.job);
    expect(await activationStates(id)).toEqual(["active active"]);
    const { owed } = await getWallet(advertiser);
    expect([owed, ...(await wallet())]).toEqual([0, 99, 500, 0]);
    expect(await checkLedger(world.job)).toEqual([]);
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("include a credit limit", async () => {
    const id = await running();
    const { accountId } = advertiser.actor;
    for (const cents of [-1, 1_000_000_001]) {
      await expectDomainError(setCreditLimit(operator(), { accountId, amount: asCents(cents) }), "invalid_input");
    }
    const publisher = { accountId: world.accountId("harbor"), amount: asCents(1) };
    await expectDomainError(setCreditLimit(operator(), publisher), "not_found");
    await setCreditLimit(operator(), { accountId, amount: asCents(5_000) });
    expect(await deliveryOf(id)).toMatchObject({ eligible: true });
    await world.deliver(id, { spendMicros: 50_000_000 });
    await syncAllFundsHolds(world.job);
    expect(await deliveryOf(id)).toEqual({ eligible: false, reason: "no_funds" });
  });

  test("that are used up stop the sandbox's simulated delivery too", async () => {
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

  test("that run out while a campaign is approved leave no activation behind", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await world.aLaunchedCampaign({ by: advertiser, changes: { start_date: "2026-11-20" } });
      const limit = (creditLimitCents: number) =>
        db().update(accounts).set({ creditLimitCents }).where(eq(accounts.id, advertiser.actor.accountId));
      await limit(5_000);
      await syncAllFundsHolds(world.job);
      await limit(0);
      const { reviewCampaign } = await import("#app/domain/campaigns/review-campaign.server.ts");
      await Promise.all([reviewCampaign(world.harbor, { id, action: "approve" }), syncAllFundsHolds(world.job)]);
      await syncAllFundsHolds(world.job);
      expect((await activationStates(id)).filter((one) => one.startsWith("active"))).toEqual([]);
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
  expect(projectedLastDay({ left: asCents(left), lastWeek: asCents(lastWeek) }, today)).toBe(day);
});
