import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getPayout } from "#app/domain/billing/payouts/list-payouts.server.ts";
import {
  findPayoutAccount,
  findPayoutAccountStatus,
  setPayoutAccount,
} from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startPayoutOnboarding } from "#app/domain/billing/payouts/start-payout-onboarding.server.ts";
import { syncOwnConnectedAccount } from "#app/domain/billing/payouts/sync-connected-account.server.ts";
import { receiveStripeEvent } from "#app/domain/billing/provider-events/receive-stripe-event.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { type CampaignId, newId, type PayoutId } from "#app/domain/ids.ts";
import { listErasureBlockers } from "#app/domain/privacy/list-erasure-blockers.server.ts";
import { accounts, notifications, payoutAccounts, payouts, planOffsets, subscriptions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { connectVariables, type FakeStripe, startStripe } from "#tests/support/fakes/fake-stripe.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let stripe: FakeStripe;
let world: World;
let running: CampaignId;
let account = "";
/** The fake Stripe uses the system clock, so that both clocks are set to the world's. */
function setTime(instant: Date): void {
  world.setNow(instant.toISOString());
  vi.setSystemTime(instant);
}
const pass = (milliseconds: number) => setTime(new Date(world.clock().getTime() + milliseconds));
const days = (count: number) => pass(count * 86_400_000);
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => connectVariables(stripe));
beforeAll(async () => {
  world = await createWorld(db());
  setTime(new Date("2026-11-20T12:00:00Z"));
  const changes = { start_date: "2026-11-20", end_date: "2028-12-31", budget: 900_000, daily_budget: 9_000 };
  running = await world.aRunningCampaign({ changes });
});
afterAll(async () => {
  vi.useRealTimers();
  await stripe.stop();
});

const paths = {
  returnPath: "/publisher/revenue/account?back=done",
  refreshPath: "/publisher/revenue/account?back=again",
} as const;
const open = (who = world.harbor) => startPayoutOnboarding(who, paths);
const owner = () => ({ metadata: { endcap_account: world.harbor.actor.accountId } });
const receiveMessage = ({ body, signature }: ReturnType<FakeStripe["message"]>) =>
  receiveStripeEvent(world.job, { body: Buffer.from(body), signature });
const newest = (object: string) => stripe.all(object).at(-1) ?? expect.fail(`no ${object}`);

describe("a publisher's account", () => {
  test("is created once, on Stripe's pages, and nothing is paid out before Stripe has all it needs", async () => {
    // From when the sandbox paid out.
    expect(await db().$count(payoutAccounts)).toBeGreaterThan(0);
    expect([await findPayoutAccount(world.harbor), await findPayoutAccountStatus(world.harbor)]).toEqual([
      undefined,
      undefined,
    ]);
    await expectDomainError(setPayoutAccount(world.harbor, { token: "bank_sandbox" }), "invalid_transition");
    const pages = await Promise.all([open(), open(), open()]);
    expect(stripe.all("account")).toHaveLength(1);
    expect(pages.every(({ url }) => url.startsWith(`${stripe.origin}/setup/`))).toBe(true);
    expect(newest("account_link")).toMatchObject({
      return_url: `http://localhost:3000${paths.returnPath}`,
      refresh_url: `http://localhost:3000${paths.refreshPath}`,
    });
    account = newest("account").id;
    expect(await findPayoutAccountStatus(world.harbor)).toEqual({
      state: "information_needed",
      requirementsDueBy: null,
    });
    expect(await findPayoutAccount(world.harbor)).toBeUndefined();
  });

  test.each([
    [
      "pending_verification",
      { requirements: { currently_due: [], past_due: [], disabled_reason: "requirements.pending_verification" } },
    ],
    ["disabled", { requirements: { currently_due: ["x"], past_due: [], disabled_reason: "rejected.fraud" } }],
    [
      "information_needed",
      { requirements: { currently_due: ["x"], past_due: ["x"], disabled_reason: "requirements.past_due" } },
    ],
  ])("that is %s is shown so", async (state, more) => {
    const off = { payouts_enabled: false, capabilities: { transfers: "inactive" } };
    stripe.connect.finishAccount(account, "6789", { ...off, ...more });
    await syncOwnConnectedAccount(world.harbor);
    expect(await findPayoutAccountStatus(world.harbor)).toMatchObject({ state });
    expect(await findPayoutAccount(world.harbor)).toBeUndefined();
  });

  test("with a bank account in another currency needs another one", async () => {
    const euros = { object: "list", data: [{ id: "ba_eur", object: "bank_account", currency: "eur", last4: "1111" }] };
    stripe.connect.finishAccount(account, "6789", { external_accounts: euros });
    await syncOwnConnectedAccount(world.harbor);
    expect(await findPayoutAccountStatus(world.harbor)).toMatchObject({ state: "information_needed" });
  });

  test("is paid once Stripe's event says that it is ready, in any order and twice", async () => {
    const old = structuredClone(newest("account"));
    stripe.connect.finishAccount(account, "6789");
    const messages = [old, newest("account"), old].map((one) => stripe.message("account.updated", one, { account }));
    for (const message of messages) await receiveMessage(message);
    expect(await findPayoutAccountStatus(world.harbor)).toMatchObject({ state: "enabled" });
    expect(await findPayoutAccount(world.harbor)).toMatchObject({ bank: "First Bank", lastFour: "6789" });
    expect((await open()).url).toBe(`${stripe.origin}/dashboard/${account}`);
    const foreign = { ...newest("account"), id: "acct_foreign" };
    expect(await receiveMessage(stripe.message("account.updated", foreign, { account: "acct_foreign" }))).toMatchObject(
      {
        done: true,
      },
    );
    expect(stripe.all("account")).toHaveLength(1);
  });

  test("from which Stripe needs more information is paid until the deadline, and its page asks for it", async () => {
    const deadline = Math.floor(world.clock().getTime() / 1_000) + 86_400;
    stripe.connect.changeAccount(account, {
      requirements: { currently_due: ["x"], past_due: [], current_deadline: deadline },
    });
    expect((await open()).url).toContain("/setup/");
    expect(await findPayoutAccountStatus(world.harbor)).toEqual({
      state: "enabled",
      requirementsDueBy: new Date(deadline * 1_000),
    });
    stripe.connect.finishAccount(account, "6789");
    await syncOwnConnectedAccount(world.harbor);
  });

  test("that is another's, according to Stripe, is never paid; a deleted one is created again", async () => {
    stripe.connect.changeAccount(account, { metadata: { endcap_account: world.accountId("fern") } });
    await syncOwnConnectedAccount(world.harbor);
    expect(await findPayoutAccount(world.harbor)).toBeUndefined();
    stripe.connect.changeAccount(account, { gone: true });
    await open();
    expect(newest("account").id).not.toBe(account);
    account = newest("account").id;
    expect(newest("account")).toMatchObject(owner());
    stripe.connect.finishAccount(account, "6789");
    await syncOwnConnectedAccount(world.harbor);
    expect(await findPayoutAccount(world.harbor)).toMatchObject({ lastFour: "6789" });
  });

  test("is unavailable while Stripe does not respond, or declines", async () => {
    stripe.trouble("fail", "fail");
    await expectDomainError(open(world.fern), "unavailable");
    expect(await findPayoutAccountStatus(world.fern)).toBeUndefined();
  });
});

const balance = () => getPayoutBalance(world.harbor);
const find = (id: PayoutId) => getPayout(world.harbor, id);
const problems: string[] = [];
const send = () => sendDuePayouts(world.job, undefined, ({ problem }) => problems.push(problem));
/** Starts a payout of a day's earnings whose holding period is over. */
async function startPayout(): Promise<PayoutId> {
  await world.deliver(running, { day: world.today() as CalendarDate, spendMicros: 100_000_000 });
  days(1);
  await settleDelivery(world.job);
  days(9);
  return (await requestPayout(world.harbor, {})).id;
}
/** Returns the objects that Stripe created for a payout. */
function stripeObjectsOf(id: PayoutId) {
  const of = (object: string) =>
    stripe.all(object).filter(({ metadata }) => (metadata as { endcap_payout?: string })?.endcap_payout === id);
  return { transfers: of("transfer"), payouts: of("payout") };
}
const bankPayout = (id: PayoutId) => stripeObjectsOf(id).payouts[0]?.id ?? expect.fail("not sent to the bank");
const payoutMessage = (type: string, id: PayoutId, more = {}) =>
  stripe.message(type, stripeObjectsOf(id).payouts[0] ?? {}, { account, ...more });

describe("a payout", () => {
  beforeEach(() => {
    problems.length = 0;
    stripe.connect.setFunds(1_000_000_000);
    stripe.connect.finishAccount(account, "6789");
    return syncOwnConnectedAccount(world.harbor);
  });

  test("is one transfer and one payout to the bank that was shown, and paid when the bank says so", async () => {
    const id = await startPayout();
    stripe.connect.setFunds(100_000);
    await send();
    const { transfers, payouts: sent } = stripeObjectsOf(id);
    expect(transfers).toMatchObject([{ amount: 7_000, destination: account, transfer_group: `payout/${id}` }]);
    expect(sent).toMatchObject([{ amount: 7_000, account, status: "pending" }]);
    expect([stripe.connect.funds(), stripe.connect.balanceOf(account)]).toEqual([93_000, 0]);
    expect(await find(id)).toMatchObject({ status: "in_transit", bank: "First Bank", lastFour: "6789" });
    stripe.connect.endPayout(bankPayout(id), "paid");
    for (const message of [payoutMessage("payout.paid", id), payoutMessage("payout.paid", id)])
      await receiveMessage(message);
    expect(await find(id)).toMatchObject({ status: "in_transit" });
    expect(await send()).toBe(1);
    expect(await find(id)).toMatchObject({ status: "paid" });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  /** Each request loses its answer in turn, in each way, and Stripe forgets all keys after each. */
  test.each(["cut_after", "fail_after", "in_use", "limited"] as const)(
    "is sent once however often a response is lost (%s)",
    async (trouble) => {
      // No other payout is polled meanwhile.
      await db().update(payouts).set({ dueAt: null }).where(eq(payouts.status, "paid"));
      const id = await startPayout();
      const before = stripe.connect.funds();
      for (let step = 0, ended = false; !ended && step < 30; step += 1) {
        // Stripe's library retries once by itself.
        stripe.trouble(...Array(step % 6).fill(undefined), trouble, trouble);
        await send();
        stripe.noMoreTrouble();
        if (stripeObjectsOf(id).payouts[0]?.status === "pending") stripe.connect.endPayout(bankPayout(id), "paid");
        stripe.forgetKeys();
        pass(7 * 3_600_000);
        ended = (await find(id)).status === "paid";
      }
      expect(await find(id)).toMatchObject({ status: "paid" });
      expect([stripeObjectsOf(id).transfers.length, stripeObjectsOf(id).payouts.length]).toEqual([1, 1]);
      expect(before - stripe.connect.funds()).toBe(7_000);
    },
  );

  test("waits for the operator while the platform's balance is insufficient, and does not fail", async () => {
    stripe.connect.setFunds(6_999);
    const id = await startPayout();
    expect(await send()).toBe(0);
    expect(problems).toEqual(["balance_insufficient"]);
    expect(await find(id)).toMatchObject({ status: "pending", failure: null });
    expect(await send()).toBe(0);
    stripe.connect.setFunds(7_000);
    days(1);
    expect(await send()).toBe(1);
    expect(await find(id)).toMatchObject({ status: "in_transit" });
    stripe.connect.endPayout(bankPayout(id), "paid");
    days(1);
    await send();
    expect(stripe.connect.funds()).toBe(0);
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test.each([
    [
      "the bank closed the account",
      (id: PayoutId) => stripe.connect.endPayout(bankPayout(id), "failed", "account_closed"),
      /closed/,
    ],
    [
      "somebody canceled it",
      (id: PayoutId) => stripe.connect.endPayout(bankPayout(id), "canceled"),
      /canceled on Stripe/,
    ],
  ])(
    "fails when %s: the transfer is reversed first, whatever response is lost meanwhile",
    async (_why, fail, failureMessage) => {
      const id = await startPayout();
      await send();
      const fundsBefore = stripe.connect.funds();
      fail(id);
      // It cannot be reversed while the account owes Stripe.
      stripe.connect.changeAccount(account, { balance: 6_999 });
      await receiveMessage(payoutMessage("payout.failed", id));
      await send();
      expect(problems).toEqual(["balance_insufficient"]);
      expect(await find(id)).toMatchObject({ status: "in_transit" });
      expect(await balance()).toMatchObject({ available: 0, inTransit: 7_000 });
      stripe.connect.changeAccount(account, { balance: 7_000 });
      stripe.trouble(undefined, "cut_after", "cut");
      days(1);
      await send();
      expect(await find(id)).toMatchObject({ status: "in_transit" });
      days(1);
      await send();
      expect(await find(id)).toMatchObject({
        status: "failed",
        failure: expect.stringMatching(failureMessage),
        returnedAt: null,
      });
      expect([stripe.connect.funds() - fundsBefore, stripe.connect.balanceOf(account)]).toEqual([7_000, 0]);
      expect(await balance()).toMatchObject({ available: 7_000, inTransit: 0 });
      expect(await checkLedger(world.job)).toEqual([]);
      const again = await requestPayout(world.harbor, {});
      await send();
      stripe.connect.endPayout(bankPayout(again.id), "paid");
      days(1);
      await send();
      expect(await find(again.id)).toMatchObject({ status: "paid", amount: 7_000 });
    },
  );

  test("fails when the bank account was changed meanwhile, the account may not be paid, or is deleted", async () => {
    const id = await startPayout();
    stripe.connect.finishAccount(account, "1234");
    await send();
    expect(await find(id)).toMatchObject({ status: "failed", failure: expect.stringMatching(/was changed/) });
    expect(stripe.connect.balanceOf(account)).toBe(0);
    await syncOwnConnectedAccount(world.harbor);
    const second = await requestPayout(world.harbor, {});
    stripe.connect.changeAccount(account, { capabilities: { transfers: "inactive" } });
    await send();
    expect(await find(second.id)).toMatchObject({
      status: "failed",
      failure: expect.stringMatching(/has paused payouts/),
    });
    expect(stripeObjectsOf(second.id).transfers).toEqual([]);
    stripe.connect.changeAccount(account, { capabilities: { transfers: "active" } });
    const third = await requestPayout(world.harbor, {});
    stripe.connect.changeAccount(account, { gone: true });
    await send();
    expect(await find(third.id)).toMatchObject({
      status: "failed",
      failure: expect.stringMatching(/Stripe account was not found/),
    });
    Object.assign(newest("account"), { gone: false });
    expect(await checkLedger(world.job)).toEqual([]);
    expect(await balance()).toMatchObject({ available: 7_000, inTransit: 0 });
  });

  test("fails when its transfer was reversed manually before it went to the bank", async () => {
    const { id } = await requestPayout(world.harbor, {});
    stripe.trouble(undefined, undefined, "cut", "cut");
    await send();
    const [transfer] = stripeObjectsOf(id).transfers;
    stripe.connect.reverseByHand(transfer?.id ?? "", 3_000);
    await receiveMessage(stripe.message("transfer.reversed", transfer ?? {}));
    await send();
    expect(await find(id)).toMatchObject({ status: "failed", failure: expect.stringMatching(/reversed the transfer/) });
    expect([transfer?.amount_reversed, stripeObjectsOf(id).payouts.length]).toEqual([7_000, 0]);
    expect(await checkLedger(world.job)).toEqual([]);
  });
});

describe("a paid payout that the bank returns days later", () => {
  let id: PayoutId;
  beforeAll(async () => {
    ({ id } = await requestPayout(world.harbor, {}));
    await send();
    stripe.connect.endPayout(bankPayout(id), "paid");
    days(1);
    await send();
    expect(await find(id)).toMatchObject({ status: "paid" });
    days(3);
    await send();
  });
  const late = () => stripe.connect.endPayout(bankPayout(id), "failed", "no_account");

  test("is not recognized from others' events, or untrue ones", async () => {
    const payout = stripeObjectsOf(id).payouts[0] ?? {};
    await receiveMessage(stripe.message("payout.failed", { ...payout, status: "failed" }, { account }));
    await receiveMessage(stripe.message("payout.failed", { ...payout, status: "failed" }, { account: "acct_foreign" }));
    await receiveMessage(
      stripe.message("payout.failed", { ...payout, metadata: { endcap_payout: "'; --" } }, { account }),
    );
    await receiveMessage(stripe.message("payout.failed", { ...payout, metadata: {} }));
    await send();
    expect(await find(id)).toMatchObject({ status: "paid" });
  });

  test("is in the publisher's balance again, with the reason, once, and its lines are in the next one", async () => {
    const fundsBefore = stripe.connect.funds();
    late();
    const messages = [
      payoutMessage("payout.failed", id),
      payoutMessage("payout.paid", id),
      payoutMessage("payout.failed", id),
    ];
    await Promise.all(messages.map(receiveMessage));
    stripe.trouble(undefined, undefined, "cut_after", "cut");
    await send();
    expect(await find(id)).toMatchObject({ status: "paid" });
    days(1);
    await Promise.all([send(), send(), send()]);
    expect(await find(id)).toMatchObject({
      status: "failed",
      failure: expect.stringMatching(/bank account was not found/),
      returnedAt: world.clock(),
    });
    expect(stripe.connect.funds() - fundsBefore).toBe(7_000);
    expect(await balance()).toMatchObject({ available: 7_000, inTransit: 0 });
    const { rows } = await listTransactions(world.harbor, { limit: 2 });
    expect(rows).toMatchObject([
      {
        type: "adjustment",
        status: "succeeded",
        amount: -7_000,
        description: "Payout to First Bank ending 6789 returned",
      },
      { type: "payout", status: "succeeded", amount: 7_000 },
    ]);
    const { rows: lines } = await getStatement(world.harbor, { month: calendarMonthOf(world.clock()), limit: 100 });
    expect(lines.at(-1)).toMatchObject({ event: "payout_returned", amount: 7_000 });
    const payoutNotifications = and(eq(notifications.event, "payout_failed"), eq(notifications.subjectId, id));
    expect(await db().$count(notifications, payoutNotifications)).toBe(1);
    expect(await checkLedger(world.job)).toEqual([]);
    const next = await requestPayout(world.harbor, {});
    await send();
    stripe.connect.endPayout(bankPayout(next.id), "paid");
    days(1);
    await send();
    expect(await find(next.id)).toMatchObject({ status: "paid", amount: 7_000 });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("is checked for two weeks, in which the account is not closed, and then only on Stripe's events", async () => {
    const countPolledPayouts = async () => (await db().select().from(payouts)).filter(({ dueAt }) => dueAt).length;
    expect(await countPolledPayouts()).toBeGreaterThan(0);
    expect(await listErasureBlockers(world.harbor)).toContain("payments");
    for (let day = 0; day < 16; day += 1) {
      days(1);
      await send();
    }
    expect(await countPolledPayouts()).toBe(0);
    expect(await listErasureBlockers(world.harbor)).not.toContain("payments");
    const asked = stripe.asked.length;
    days(1);
    await send();
    expect(stripe.asked).toHaveLength(asked);
  });
});

test("with a plan offset returns the amount less the plan", async () => {
  const own = eq(accounts.id, world.harbor.actor.accountId);
  await db().update(accounts).set({ planFundingSource: "earnings" }).where(own);
  const ended = { status: "canceled", dueAt: null } as const;
  await db().update(subscriptions).set(ended).where(eq(subscriptions.accountId, world.harbor.actor.accountId));
  await world.deliver(running, { day: world.today() as CalendarDate, spendMicros: 2_000_000_000 });
  days(1);
  await settleDelivery(world.job);
  days(9);
  await changePlan(world.harbor, { planType: "enterprise", key: newId(), returnPath: () => "/back" as const });
  const { available } = await balance();
  expect(await db().$count(planOffsets)).toBe(1);
  const { id } = await requestPayout(world.harbor, {});
  await send();
  stripe.connect.endPayout(bankPayout(id), "paid");
  days(1);
  await send();
  expect(await find(id)).toMatchObject({ status: "paid", amount: available });
  stripe.connect.endPayout(bankPayout(id), "failed", "account_closed");
  days(1);
  await send();
  expect(await find(id)).toMatchObject({ status: "failed", returnedAt: world.clock() });
  expect(await balance()).toMatchObject({ available, inTransit: 0 });
  expect(await checkLedger(world.job)).toEqual([]);
});

test("that is returned to a closed account, later than banks do, is booked, and the operator is told", async () => {
  const id = await startPayout();
  await send();
  stripe.connect.endPayout(bankPayout(id), "paid");
  for (let day = 0; day < 16; day += 1) {
    days(1);
    await send();
  }
  const own = eq(accounts.id, world.harbor.actor.accountId);
  await db().update(accounts).set({ status: "suspended", closedAt: world.clock() }).where(own);
  problems.length = 0;
  const { amount } = await find(id);
  const { available } = await balance();
  stripe.connect.endPayout(bankPayout(id), "failed", "no_account");
  await receiveMessage(payoutMessage("payout.failed", id));
  await send();
  expect(problems).toEqual(["returned_to_closed_account"]);
  expect((await balance()).available - available).toBe(amount);
  expect(await checkLedger(world.job)).toEqual([]);
});
