import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { chargeMethod } from "#app/domain/billing/charges/charge-method.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { getMethodRow } from "#app/domain/billing/payment-methods/payment-method-rows.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import * as paymentProviders from "#app/domain/payments/active-payment-provider.server.ts";
import { paymentCustomers, paymentSetups, topUps } from "#db/schema/index.ts";
import { newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { type FakeCard, type FakeStripe, startStripe, stripeVariables } from "#tests/support/fakes/fake-stripe.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let stripe: FakeStripe;
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => stripeVariables(stripe));
beforeAll(async () => {
  world = await createWorld(db());
});
afterAll(() => stripe.stop());
/** The fake Stripe uses the system clock, and this test does too. */
beforeEach(async () => {
  world.setNow(new Date().toISOString());
  const { accountId, userId } = await newMember("advertiser");
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
});

const paths = { returnPath: "/advertiser/billing/payment-methods/add", cancelPath: "/advertiser/billing" } as const;
async function visit(card: FakeCard | null, who = advertiser) {
  const { url } = await startPaymentMethodSetup(who, paths);
  const reference = url.split("/").at(-1) ?? "";
  const back = card ? stripe.addCard(reference, card) : "";
  return { url, reference, back };
}
const add = async (card: FakeCard = "visa") => addPaymentMethod(advertiser, { token: (await visit(card)).reference });
const topUp = async (dollars: number, card: FakeCard = "visa") =>
  topUpWallet(advertiser, {
    amount: asCents(dollars * 100),
    payment_method_id: (await add(card)).id,
    key: newId(),
    returnPath: (id) => `/advertiser/billing/top-ups/${id}`,
  });
const balance = async () => (await getWallet(advertiser)).balance / 100;
const own = () => eq(topUps.accountId, advertiser.actor.accountId);
const payments = () => {
  const keys = new Set(stripe.all("payment_intent").map((one) => JSON.stringify(one.metadata)));
  return { made: stripe.all("payment_intent").length, keys: keys.size };
};

describe("a payment method", () => {
  test("is added on Stripe's page, once per visit, and only by its own account", async () => {
    const { url, reference, back } = await visit("amex");
    expect(url).toBe(`${stripe.origin}/pay/${reference}`);
    expect(back).toBe(`http://localhost:3000${paths.returnPath}?setup=${reference}`);
    await expectDomainError(addPaymentMethod(world.northwind, { token: reference }), "invalid_input");
    const made = await Promise.all([1, 2, 3].map(() => addPaymentMethod(advertiser, { token: reference })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await listPaymentMethods(advertiser)).toMatchObject([
      {
        brand: "American Express",
        lastFour: "0005",
        type: "card",
        expiresMonth: 12,
        expiresYear: 2034,
        isDefault: true,
      },
    ]);
  });

  test("is not added before the page is done, nor from an invalid visit: another's card, a test token, a payment", async () => {
    const { reference } = await visit(null);
    await add();
    const [method] = stripe.all("payment_method");
    for (const token of [reference, "tok_visa", "cs_nothing", String(method?.id), "pi_1", "../customers"]) {
      await expectDomainError(addPaymentMethod(advertiser, { token }), "invalid_input");
    }
  });

  test("belongs to one customer per account, for any number of visits; a deleted customer is replaced", async () => {
    const before = stripe.all("customer").length;
    await Promise.all([visit(null), visit(null), visit(null)]);
    expect(stripe.all("customer")).toHaveLength(before + 1);
    stripe.forgetAll();
    await add();
    expect(stripe.all("customer")).toHaveLength(1);
    const mine = eq(paymentCustomers.accountId, advertiser.actor.accountId);
    expect(await db().select().from(paymentCustomers).where(mine)).toMatchObject([
      { reference: stripe.all("customer")[0]?.id },
    ]);
  });

  test("that is removed is detached there; one that is gone there can be removed all the same", async () => {
    const [one, other] = [await add(), await add()];
    await removePaymentMethod(advertiser, one);
    const [first, second] = stripe.all("payment_method").slice(-2);
    expect([first?.customer, second?.customer]).toEqual([null, expect.stringMatching(/^cus_/)]);
    Object.assign(second ?? {}, { customer: null });
    await removePaymentMethod(advertiser, other);
    expect(await listPaymentMethods(advertiser)).toEqual([]);
  });

  test("that a charge begins with while it is detached stays until the charge is resolved", async () => {
    const { id } = await add();
    const { paymentProvider } = paymentProviders;
    const detachMethod = async () => {
      stripe.trouble("cut_after", "cut");
      const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
      await expectDomainError(topUpWallet(advertiser, input), "unavailable");
    };
    const provider = vi.spyOn(paymentProviders, "paymentProvider");
    provider.mockImplementation((ctx) => ({ ...paymentProvider(ctx), detachMethod }));
    onTestFinished(() => provider.mockRestore());
    await expectDomainError(removePaymentMethod(advertiser, { id }), "invalid_transition");
    expect((await listPaymentMethods(advertiser)).map((one) => one.id)).toContain(id);
    provider.mockRestore();
    world.advanceDays(0.01);
    expect(await finishDueTopUps(world.job)).toBe(1);
    await removePaymentMethod(advertiser, { id });
    expect(await listPaymentMethods(advertiser)).toEqual([]);
  });

  test("cannot be added while Stripe does not respond, or rejects our key; nothing is stored then", async () => {
    stripe.trouble("fail", "fail");
    await expectDomainError(visit(null), "unavailable");
    stripe.trouble("limited");
    await expectDomainError(visit(null), "unavailable");
    expect(await db().$count(paymentSetups, eq(paymentSetups.accountId, advertiser.actor.accountId))).toBe(0);
  });
});

describe("a top-up", () => {
  test("is money in the wallet", async () => {
    expect(await topUp(250)).toMatchObject({ status: "succeeded", amount: 25_000 });
    expect(await balance()).toBe(250);
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test.each([
    ["declined", "The card was declined. Use another payment method or contact your bank."],
    ["poor", "The card has insufficient funds. Use another payment method."],
    ["stolen", "The card was declined. Use another payment method or contact your bank."],
  ] as const)("with a card that is %s fails with our message", async (card, failure) => {
    expect(await topUp(100, card)).toMatchObject({ status: "failed", failure });
    expect(await balance()).toBe(0);
  });

  test.each([
    [true, "succeeded", null, 60],
    [false, "failed", "The payment was not confirmed. You were not charged. Try again.", 0],
  ])(
    "that the bank wants confirmed waits, and ends as the person decides (%s)",
    async (providerStatus, status, failure, walletDollars) => {
      const topUpReply = await topUp(60, "asking");
      expect(topUpReply).toMatchObject({ status: "needs_confirmation" });
      expect(topUpReply.confirmUrl).toMatch(new RegExp(`^${stripe.origin}/confirm/pi_`));
      stripe.answerBank(topUpReply.confirmUrl?.split("/").at(-1) ?? "", providerStatus);
      expect(await finishTopUp(advertiser, topUpReply)).toMatchObject({ status, failure });
      expect(await balance()).toBe(walletDollars);
    },
  );

  test("that would need Stripe's scripts is canceled, and nothing was charged", async () => {
    expect(await topUp(60, "scripted")).toMatchObject({ status: "failed" });
    expect(stripe.all("payment_intent").at(-1)).toMatchObject({ status: "canceled" });
  });

  test("that nobody confirms is canceled there too; one confirmed at the last moment counts", async () => {
    const [late, other] = [await topUp(60, "asking"), await topUp(40, "asking")];
    stripe.answerBank(other.confirmUrl?.split("/").at(-1) ?? "", true);
    world.advanceDays(1.1);
    expect(await finishDueTopUps(world.job)).toBeGreaterThanOrEqual(2);
    expect(await finishTopUp(advertiser, late)).toMatchObject({ status: "canceled" });
    expect(await finishTopUp(advertiser, other)).toMatchObject({ status: "succeeded" });
    expect(await balance()).toBe(40);
  });
});

describe("a charge whose response is lost is made once:", () => {
  test.each([
    ["the connection is cut after it was made", ["cut_after"], "succeeded"],
    ["the connection is cut before", ["cut"], "succeeded"],
    ["another process is at it with the same key", ["in_use"], "succeeded"],
    ["Stripe failed after it was made, and says so again and again", ["fail_after"], "succeeded"],
  ] as const)("%s", async (_what, troubles, status) => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble(...troubles);
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId() };
    expect(await topUpWallet(advertiser, { ...input, returnPath: () => "/back" })).toMatchObject({ status });
    expect(payments().made).toBe(before + 1);
    expect(await balance()).toBe(50);
  });

  test("after two lost responses the result is unknown, until the job asks with the same key", async () => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble("cut_after", "cut");
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectDomainError(topUpWallet(advertiser, input), "unavailable");
    expect((await db().select().from(topUps).where(own())).map((row) => row.status)).toEqual(["pending"]);
    expect(await balance()).toBe(0);
    await expectDomainError(removePaymentMethod(advertiser, { id }), "invalid_transition");
    world.advanceDays(0.01);
    const done = await Promise.all([finishDueTopUps(world.job), finishDueTopUps(world.job)]);
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect([payments().made, await balance()]).toEqual([before + 1, 50]);
  });

  test("also when its key expired there before the job runs: it is found by its name", async () => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble("cut_after", "cut");
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectDomainError(topUpWallet(advertiser, input), "unavailable");
    stripe.forgetKeys();
    world.advanceDays(2);
    expect(await finishDueTopUps(world.job)).toBe(1);
    expect([payments().made, await balance()]).toEqual([before + 1, 50]);
    const { made, keys } = payments();
    expect(keys).toBe(made);
  });

  test("control: a second key is a second payment", async () => {
    const before = payments().made;
    const row = await getMethodRow(advertiser, (await add()).id);
    const request = { amount: 5_000, description: "Plan", returnPath: "/back" as const };
    for (const key of ["one", "two", "two"])
      await chargeMethod(world.job, row, { ...request, key: `${row.id}/${key}` });
    expect(payments().made).toBe(before + 2);
  });
});

describe("a fault of our configuration at Stripe", () => {
  const unavailable = /^Payments are unavailable right now\. Try again later\.$/;
  const reported: string[] = [];
  const report: Ctx["report"] = (error, { work }) =>
    void reported.push(`${work} ${error instanceof Error && error.cause instanceof Error ? error.cause.message : ""}`);
  beforeEach(() => {
    reported.length = 0;
    advertiser = { ...advertiser, report };
  });

  test("is no declined card: a rejected request ends the top-up, says so, and is reported to the operator", async () => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble("misconfigured");
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    const failure = "You were not charged. Payments are unavailable right now. Try again later.";
    expect(await topUpWallet(advertiser, input)).toMatchObject({ status: "failed", failure });
    expect(reported).toEqual(["charge_method StripeInvalidRequestError 400   req_test"]);
    world.advanceDays(0.01);
    await finishDueTopUps(world.job);
    expect([payments().made, await balance()]).toEqual([before, 0]);
  });

  test("leaves a top-up open when our key is rejected, which is reported, and the job makes it", async () => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble("unauthorized");
    const input = { amount: asCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectDomainError(topUpWallet(advertiser, input), "unavailable", unavailable);
    expect(reported).toEqual(["charge_method StripeAuthenticationError 401 api_key_expired  req_test"]);
    world.advanceDays(0.01);
    expect(await finishDueTopUps(world.job)).toBe(1);
    expect([payments().made, await balance()]).toEqual([before + 1, 50]);
  });

  test("leaves a charge open that nobody asked for just now", async () => {
    const row = await getMethodRow(advertiser, (await add()).id);
    const request = { key: `plan/${row.id}`, amount: 9_900, description: "Plan", returnPath: "/back" as const };
    stripe.trouble("misconfigured");
    const charge = () => chargeMethod({ ...world.job, report }, row, { ...request, offSession: true });
    await expectDomainError(charge(), "unavailable", unavailable);
    expect(reported).toHaveLength(1);
    expect(await charge()).toMatchObject({ state: "succeeded" });
  });

  test("is said where a card is added", async () => {
    stripe.trouble("unauthorized");
    await expectDomainError(visit(null), "unavailable", unavailable);
  });
});

test("a charge that nobody asked for just now is made off session; the person confirms where the bank insists", async () => {
  const request = { amount: 9_900, description: "Plan", returnPath: "/back" as const, offSession: true };
  const charged = async (card: FakeCard) => {
    const row = await getMethodRow(advertiser, (await add(card)).id);
    const charge = () => chargeMethod(world.job, row, { ...request, key: `plan/${row.id}` });
    const first = await charge();
    expect(await charge()).toEqual(first);
    return first;
  };
  expect(await charged("visa")).toMatchObject({ state: "succeeded" });
  const topUpReply = await charged("asking");
  expect(topUpReply).toMatchObject({ state: "needs_confirmation", url: expect.stringContaining("/confirm/pi_") });
  stripe.answerBank(topUpReply.paymentId ?? "", true);
  expect(await paymentProviders.paymentProvider(advertiser).readCharge(topUpReply.paymentId ?? "")).toMatchObject({
    state: "succeeded",
  });
});

test("a payment is refunded once per key, and never beyond its amount", async () => {
  const { id } = await topUp(50);
  const [row] = await db().select().from(topUps).where(eq(topUps.id, id));
  const refund = (key: string, amount: number) =>
    paymentProviders.paymentProvider(advertiser).refund({ key, paymentId: row?.paymentId ?? "", amount });
  const same = await Promise.all([1, 2, 3].map(() => refund("one", 3_000)));
  expect(new Set(same.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await refund("two", 2_001)).toMatchObject({ state: "refused" });
  expect(await refund("three", 2_000)).toMatchObject({ state: "succeeded" });
});
