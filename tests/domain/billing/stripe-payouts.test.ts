import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { receiveStripeEvent } from "#app/domain/billing/payments/events/receive-stripe-event.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { getPayout } from "#app/domain/billing/payouts/list-payouts.server.ts";
import {
  findAccountState,
  findPayoutAccount,
  setPayoutAccount,
} from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { beginPayoutAccount } from "#app/domain/billing/payouts/stripe/begin-payout-account.server.ts";
import { followPayoutAccount } from "#app/domain/billing/payouts/stripe/follow-payout-account.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { type CampaignId, newId, type PayoutId } from "#app/domain/ids.ts";
import { accounts, nettedPlans, notifications, payoutAccounts, payouts, subscriptions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { type RemoteStripe, startStripe, useConnect } from "#tests/support/remote-stripe.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let stripe: RemoteStripe;
let world: World;
let running: CampaignId;
let account = "";
/** Stripe's clock is the computer's, and here both are the world's. */
function at(instant: Date): void {
  world.setNow(instant.toISOString());
  vi.setSystemTime(instant);
}
const pass = (milliseconds: number) => at(new Date(world.clock().getTime() + milliseconds));
const days = (count: number) => pass(count * 86_400_000);
beforeAll(async () => {
  stripe = await startStripe();
  useConnect(stripe);
  world = await makeWorld(db());
  at(new Date("2026-11-20T12:00:00Z"));
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
const open = (who = world.harbor) => beginPayoutAccount(who, paths);
const owner = () => ({ metadata: { endcap_account: world.harbor.actor.accountId } });
const receive = ({ body, signature }: ReturnType<RemoteStripe["message"]>) =>
  receiveStripeEvent(world.job, { body: Buffer.from(body), signature });
const newest = (object: string) => stripe.all(object).at(-1) ?? expect.fail(`no ${object}`);

describe("a publisher's account", () => {
  test("is made once, on Stripe's pages, and nothing is paid out before Stripe has all it asks for", async () => {
    // From when the sandbox paid out.
    expect(await db().$count(payoutAccounts)).toBeGreaterThan(0);
    expect([await findPayoutAccount(world.harbor), await findAccountState(world.harbor)]).toEqual([
      undefined,
      undefined,
    ]);
    await expectRefusal(setPayoutAccount(world.harbor, { token: "bank_sandbox" }), "invalid_transition");
    const pages = await Promise.all([open(), open(), open()]);
    expect(stripe.all("account")).toHaveLength(1);
    expect(pages.every(({ url }) => url.startsWith(`${stripe.origin}/setup/`))).toBe(true);
    expect(newest("account_link")).toMatchObject({
      return_url: `http://localhost:3000${paths.returnPath}`,
      refresh_url: `http://localhost:3000${paths.refreshPath}`,
    });
    account = newest("account").id;
    expect(await findAccountState(world.harbor)).toEqual({ state: "needs_more", dueBy: null });
    expect(await findPayoutAccount(world.harbor)).toBeUndefined();
  });

  test.each([
    [
      "checking",
      { requirements: { currently_due: [], past_due: [], disabled_reason: "requirements.pending_verification" } },
    ],
    ["disabled", { requirements: { currently_due: ["x"], past_due: [], disabled_reason: "rejected.fraud" } }],
    [
      "needs_more",
      { requirements: { currently_due: ["x"], past_due: ["x"], disabled_reason: "requirements.past_due" } },
    ],
  ])("that is %s is told so", async (state, more) => {
    const off = { payouts_enabled: false, capabilities: { transfers: "inactive" } };
    stripe.connect.finishAccount(account, "6789", { ...off, ...more });
    await followPayoutAccount(world.harbor);
    expect(await findAccountState(world.harbor)).toMatchObject({ state });
    expect(await findPayoutAccount(world.harbor)).toBeUndefined();
  });

  test("with a bank account that takes no dollars needs another one", async () => {
    const euros = { object: "list", data: [{ id: "ba_eur", object: "bank_account", currency: "eur", last4: "1111" }] };
    stripe.connect.finishAccount(account, "6789", { external_accounts: euros });
    await followPayoutAccount(world.harbor);
    expect(await findAccountState(world.harbor)).toMatchObject({ state: "needs_more" });
  });

  test("is paid to once Stripe says that it is ready, told by a message, in any order and twice", async () => {
    const old = structuredClone(newest("account"));
    stripe.connect.finishAccount(account, "6789");
    const messages = [old, newest("account"), old].map((one) => stripe.message("account.updated", one, { account }));
    for (const message of messages) await receive(message);
    expect(await findAccountState(world.harbor)).toMatchObject({ state: "ready" });
    expect(await findPayoutAccount(world.harbor)).toMatchObject({ bank: "First Bank", lastFour: "6789" });
    expect((await open()).url).toBe(`${stripe.origin}/dashboard/${account}`);
    const foreign = { ...newest("account"), id: "acct_foreign" };
    expect(await receive(stripe.message("account.updated", foreign, { account: "acct_foreign" }))).toMatchObject({
      done: true,
    });
    expect(stripe.all("account")).toHaveLength(1);
  });

  test("that Stripe wants to know more of is paid until then, and its page asks for it", async () => {
    const deadline = Math.floor(world.clock().getTime() / 1_000) + 86_400;
    stripe.connect.changeAccount(account, {
      requirements: { currently_due: ["x"], past_due: [], current_deadline: deadline },
    });
    expect((await open()).url).toContain("/setup/");
    expect(await findAccountState(world.harbor)).toEqual({ state: "ready", dueBy: new Date(deadline * 1_000) });
    stripe.connect.finishAccount(account, "6789");
    await followPayoutAccount(world.harbor);
  });

  test("that is another's, by what Stripe says, is never paid to; one that is gone is made anew", async () => {
    stripe.connect.changeAccount(account, { metadata: { endcap_account: world.accountId("fern") } });
    await followPayoutAccount(world.harbor);
    expect(await findPayoutAccount(world.harbor)).toBeUndefined();
    stripe.connect.changeAccount(account, { gone: true });
    await open();
    expect(newest("account").id).not.toBe(account);
    account = newest("account").id;
    expect(newest("account")).toMatchObject(owner());
    stripe.connect.finishAccount(account, "6789");
    await followPayoutAccount(world.harbor);
    expect(await findPayoutAccount(world.harbor)).toMatchObject({ lastFour: "6789" });
  });

  test("is not to be had while Stripe says nothing, or no", async () => {
    stripe.trouble("fail", "fail");
    await expectRefusal(open(world.fern), "unavailable");
    expect(await findAccountState(world.fern)).toBeUndefined();
  });
});

const balance = () => getPayoutBalance(world.harbor);
const find = (id: PayoutId) => getPayout(world.harbor, id);
const problems: string[] = [];
const send = () => sendDuePayouts(world.job, undefined, ({ problem }) => problems.push(problem));
/** A day's earnings, held for long enough, on their way. */
async function begin(): Promise<PayoutId> {
  await world.deliver(running, { day: world.today() as CalendarDate, spendMicros: 100_000_000 });
  days(1);
  await settleDelivery(world.job);
  days(9);
  return (await requestPayout(world.harbor, {})).id;
}
/** What Stripe did for a payout. */
function done(id: PayoutId) {
  const of = (object: string) =>
    stripe.all(object).filter(({ metadata }) => (metadata as { endcap_payout?: string })?.endcap_payout === id);
  return { transfers: of("transfer"), payouts: of("payout") };
}
const bankPayout = (id: PayoutId) => done(id).payouts[0]?.id ?? expect.fail("not sent to the bank");
const news = (type: string, id: PayoutId, more = {}) =>
  stripe.message(type, done(id).payouts[0] ?? {}, { account, ...more });

describe("a payout", () => {
  beforeEach(() => {
    problems.length = 0;
    stripe.connect.setFunds(1_000_000_000);
    stripe.connect.finishAccount(account, "6789");
    return followPayoutAccount(world.harbor);
  });

  test("is one transfer and one payout to the bank that was seen, and has arrived when the bank says so", async () => {
    const id = await begin();
    stripe.connect.setFunds(100_000);
    await send();
    const { transfers, payouts: sent } = done(id);
    expect(transfers).toMatchObject([{ amount: 7_000, destination: account, transfer_group: `payout/${id}` }]);
    expect(sent).toMatchObject([{ amount: 7_000, account, status: "pending" }]);
    expect([stripe.connect.funds(), stripe.connect.balanceOf(account)]).toEqual([93_000, 0]);
    expect(await find(id)).toMatchObject({ status: "in_transit", bank: "First Bank", lastFour: "6789" });
    stripe.connect.endPayout(bankPayout(id), "paid");
    for (const message of [news("payout.paid", id), news("payout.paid", id)]) await receive(message);
    expect(await find(id)).toMatchObject({ status: "in_transit" });
    expect(await send()).toBe(1);
    expect(await find(id)).toMatchObject({ status: "paid" });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  /** Each request loses its answer in turn, in each way, and Stripe forgets all keys after each. */
  test.each(["cut_after", "fail_after", "in_use", "limited"] as const)(
    "is sent once however often an answer is lost (%s)",
    async (trouble) => {
      // Nothing else is asked for meanwhile.
      await db().update(payouts).set({ dueAt: null }).where(eq(payouts.status, "paid"));
      const id = await begin();
      const before = stripe.connect.funds();
      for (let step = 0, ended = false; !ended && step < 30; step += 1) {
        // The library asks once more by itself.
        stripe.trouble(...Array(step % 6).fill(undefined), trouble, trouble);
        await send();
        stripe.noMoreTrouble();
        if (done(id).payouts[0]?.status === "pending") stripe.connect.endPayout(bankPayout(id), "paid");
        stripe.forgetKeys();
        pass(7 * 3_600_000);
        ended = (await find(id)).status === "paid";
      }
      expect(await find(id)).toMatchObject({ status: "paid" });
      expect([done(id).transfers.length, done(id).payouts.length]).toEqual([1, 1]);
      expect(before - stripe.connect.funds()).toBe(7_000);
    },
  );

  test("waits for the operator while there is too little to transfer, and is not failed for it", async () => {
    stripe.connect.setFunds(6_999);
    const id = await begin();
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
      /canceled at Stripe/,
    ],
  ])("comes back when %s: the transfer is taken back first, whatever is lost on the way", async (_why, fail, words) => {
    const id = await begin();
    await send();
    const had = stripe.connect.funds();
    fail(id);
    // It cannot be taken back while the account owes Stripe.
    stripe.connect.changeAccount(account, { balance: 6_999 });
    await receive(news("payout.failed", id));
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
    expect(await find(id)).toMatchObject({ status: "failed", failure: expect.stringMatching(words), returnedAt: null });
    expect([stripe.connect.funds() - had, stripe.connect.balanceOf(account)]).toEqual([7_000, 0]);
    expect(await balance()).toMatchObject({ available: 7_000, inTransit: 0 });
    expect(await checkLedger(world.job)).toEqual([]);
    const again = await requestPayout(world.harbor, {});
    await send();
    stripe.connect.endPayout(bankPayout(again.id), "paid");
    days(1);
    await send();
    expect(await find(again.id)).toMatchObject({ status: "paid", amount: 7_000 });
  });

  test("comes back when the bank account was changed meanwhile, the account may not be paid, or is gone", async () => {
    const id = await begin();
    stripe.connect.finishAccount(account, "1234");
    await send();
    expect(await find(id)).toMatchObject({ status: "failed", failure: expect.stringMatching(/was changed/) });
    expect(stripe.connect.balanceOf(account)).toBe(0);
    await followPayoutAccount(world.harbor);
    const second = await requestPayout(world.harbor, {});
    stripe.connect.changeAccount(account, { capabilities: { transfers: "inactive" } });
    await send();
    expect(await find(second.id)).toMatchObject({ status: "failed", failure: expect.stringMatching(/at the moment/) });
    expect(done(second.id).transfers).toEqual([]);
    stripe.connect.changeAccount(account, { capabilities: { transfers: "active" } });
    const third = await requestPayout(world.harbor, {});
    stripe.connect.changeAccount(account, { gone: true });
    await send();
    expect(await find(third.id)).toMatchObject({ status: "failed", failure: expect.stringMatching(/does not know/) });
    Object.assign(newest("account"), { gone: false });
    expect(await checkLedger(world.job)).toEqual([]);
    expect(await balance()).toMatchObject({ available: 7_000, inTransit: 0 });
  });

  test("comes back when somebody took back its transfer by hand before it went to the bank", async () => {
    const { id } = await requestPayout(world.harbor, {});
    stripe.trouble(undefined, undefined, "cut", "cut");
    await send();
    const [transfer] = done(id).transfers;
    stripe.connect.reverseByHand(transfer?.id ?? "", 3_000);
    await receive(stripe.message("transfer.reversed", transfer ?? {}));
    await send();
    expect(await find(id)).toMatchObject({ status: "failed", failure: expect.stringMatching(/taken back/) });
    expect([transfer?.amount_reversed, done(id).payouts.length]).toEqual([7_000, 0]);
    expect(await checkLedger(world.job)).toEqual([]);
  });
});

describe("a payout that arrived and is sent back days later", () => {
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

  test("is none for what others say of it, or what is not so", async () => {
    const payout = done(id).payouts[0] ?? {};
    await receive(stripe.message("payout.failed", { ...payout, status: "failed" }, { account }));
    await receive(stripe.message("payout.failed", { ...payout, status: "failed" }, { account: "acct_foreign" }));
    await receive(stripe.message("payout.failed", { ...payout, metadata: { endcap_payout: "'; --" } }, { account }));
    await receive(stripe.message("payout.failed", { ...payout, metadata: {} }));
    await send();
    expect(await find(id)).toMatchObject({ status: "paid" });
  });

  test("is the publisher's balance again, with the reason, once, and its lines are in the next one", async () => {
    const had = stripe.connect.funds();
    late();
    const messages = [news("payout.failed", id), news("payout.paid", id), news("payout.failed", id)];
    await Promise.all(messages.map(receive));
    stripe.trouble(undefined, undefined, "cut_after", "cut");
    await send();
    expect(await find(id)).toMatchObject({ status: "paid" });
    days(1);
    await Promise.all([send(), send(), send()]);
    expect(await find(id)).toMatchObject({
      status: "failed",
      failure: expect.stringMatching(/does not know this account/),
      returnedAt: world.clock(),
    });
    expect(stripe.connect.funds() - had).toBe(7_000);
    expect(await balance()).toMatchObject({ available: 7_000, inTransit: 0 });
    const { rows } = await listTransactions(world.harbor, { limit: 2 });
    expect(rows).toMatchObject([
      {
        type: "adjustment",
        status: "succeeded",
        amount: -7_000,
        description: "Payout to First Bank ending 6789 came back",
      },
      { type: "payout", status: "succeeded", amount: 7_000 },
    ]);
    const { rows: lines } = await getStatement(world.harbor, { month: calendarMonthOf(world.clock()), limit: 100 });
    expect(lines.at(-1)).toMatchObject({ event: "payout_returned", amount: 7_000 });
    const told = and(eq(notifications.event, "payout_failed"), eq(notifications.subjectId, id));
    expect(await db().$count(notifications, told)).toBe(1);
    expect(await checkLedger(world.job)).toEqual([]);
    const next = await requestPayout(world.harbor, {});
    await send();
    stripe.connect.endPayout(bankPayout(next.id), "paid");
    days(1);
    await send();
    expect(await find(next.id)).toMatchObject({ status: "paid", amount: 7_000 });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("is looked at for two weeks, and then only when Stripe says something", async () => {
    const watched = async () => (await db().select().from(payouts)).filter(({ dueAt }) => dueAt).length;
    expect(await watched()).toBeGreaterThan(0);
    for (let day = 0; day < 16; day += 1) {
      days(1);
      await send();
    }
    expect(await watched()).toBe(0);
    const asked = stripe.asked.length;
    days(1);
    await send();
    expect(stripe.asked).toHaveLength(asked);
  });
});

test("a payout that was less by a plan comes back less by it too", async () => {
  const own = eq(accounts.id, world.harbor.actor.accountId);
  await db().update(accounts).set({ planPaidFrom: "earnings" }).where(own);
  const ended = { status: "canceled", dueAt: null } as const;
  await db().update(subscriptions).set(ended).where(eq(subscriptions.accountId, world.harbor.actor.accountId));
  await world.deliver(running, { day: world.today() as CalendarDate, spendMicros: 2_000_000_000 });
  days(1);
  await settleDelivery(world.job);
  days(9);
  await changePlan(world.harbor, { planType: "enterprise", key: newId(), returnPath: () => "/back" as const });
  const { available } = await balance();
  expect(await db().$count(nettedPlans)).toBe(1);
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
