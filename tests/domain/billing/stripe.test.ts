import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { beginPaymentMethod } from "#app/domain/billing/payments/begin-payment-method.server.ts";
import { chargeMethod } from "#app/domain/billing/payments/charge-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { getMethodRow } from "#app/domain/billing/payments/payment-method-rows.server.ts";
import { paymentProvider } from "#app/domain/billing/payments/provider-of.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import { paymentCustomers, paymentSetups, topUps } from "#db/schema/index.ts";
import { newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { type RemoteCard, type RemoteStripe, startStripe, useStripe } from "#tests/support/remote-stripe.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let stripe: RemoteStripe;
let world: World;
let advertiser: Ctx<AdvertiserActor>;
beforeAll(async () => {
  stripe = await startStripe();
  useStripe(stripe);
  world = await makeWorld(db());
});
afterAll(() => stripe.stop());
/** Stripe's clock is the computer's; so is ours here. */
beforeEach(async () => {
  world.setNow(new Date().toISOString());
  const { accountId, userId } = await newMember("advertiser");
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
});

const paths = { returnPath: "/advertiser/billing/payment-methods/add", cancelPath: "/advertiser/billing" } as const;
async function visit(card: RemoteCard | null, who = advertiser) {
  const { url } = await beginPaymentMethod(who, paths);
  const reference = url.split("/").at(-1) ?? "";
  const back = card ? stripe.addCard(reference, card) : "";
  return { url, reference, back };
}
const add = async (card: RemoteCard = "visa") => addPaymentMethod(advertiser, { token: (await visit(card)).reference });
const topUp = async (dollars: number, card: RemoteCard = "visa") =>
  topUpWallet(advertiser, {
    amount: toCents(dollars * 100),
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

describe("a way to pay", () => {
  test("is added on Stripe's page, once for a visit, and only by whoever went there", async () => {
    const { url, reference, back } = await visit("amex");
    expect(url).toBe(`${stripe.origin}/pay/${reference}`);
    expect(back).toBe(`http://localhost:3000${paths.returnPath}?setup=${reference}`);
    await expectRefusal(addPaymentMethod(world.northwind, { token: reference }), "invalid_input");
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

  test("is none while nothing was added, and of what is no visit: another's card, a test token, a payment", async () => {
    const { reference } = await visit(null);
    await add();
    const [method] = stripe.all("payment_method");
    for (const token of [reference, "tok_visa", "cs_nothing", String(method?.id), "pi_1", "../customers"]) {
      await expectRefusal(addPaymentMethod(advertiser, { token }), "invalid_input");
    }
  });

  test("belongs to one customer of an account, however many visits; one that is gone there gets another", async () => {
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

  test("cannot be added while Stripe does not answer, or takes our key no more; nothing is kept then", async () => {
    stripe.trouble("fail", "fail");
    await expectRefusal(visit(null), "unavailable");
    stripe.trouble("limited");
    await expectRefusal(visit(null), "unavailable");
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
    ["declined", "The card was declined. Use another payment method, or ask the bank that issued it."],
    ["poor", "The card has insufficient funds. Use another payment method."],
    ["stolen", "The card was declined. Use another payment method, or ask the bank that issued it."],
  ] as const)("with a card that is %s fails in words of ours", async (card, failure) => {
    expect(await topUp(100, card)).toMatchObject({ status: "failed", failure });
    expect(await balance()).toBe(0);
  });

  test.each([
    [true, "succeeded", null, 60],
    [false, "failed", "The payment was not confirmed. Nothing was charged.", 0],
  ])("that the bank asks about waits, and ends as the person says (%s)", async (said, status, failure, money) => {
    const asked = await topUp(60, "asking");
    expect(asked).toMatchObject({ status: "needs_confirmation" });
    expect(asked.confirmUrl).toMatch(new RegExp(`^${stripe.origin}/confirm/pi_`));
    stripe.answerBank(asked.confirmUrl?.split("/").at(-1) ?? "", said);
    expect(await finishTopUp(advertiser, asked)).toMatchObject({ status, failure });
    expect(await balance()).toBe(money);
  });

  test("that would need scripting of Stripe's is ended, and nothing was charged", async () => {
    expect(await topUp(60, "scripted")).toMatchObject({ status: "failed" });
    expect(stripe.all("payment_intent").at(-1)).toMatchObject({ status: "canceled" });
  });

  test("that nobody confirms is canceled there too; confirmed at the last moment it counts", async () => {
    const [late, other] = [await topUp(60, "asking"), await topUp(40, "asking")];
    stripe.answerBank(other.confirmUrl?.split("/").at(-1) ?? "", true);
    world.passDays(1.1);
    expect(await finishDueTopUps(world.job)).toBeGreaterThanOrEqual(2);
    expect(await finishTopUp(advertiser, late)).toMatchObject({ status: "canceled" });
    expect(await finishTopUp(advertiser, other)).toMatchObject({ status: "succeeded" });
    expect(await balance()).toBe(40);
  });
});

describe("a charge whose answer is lost is made once:", () => {
  test.each([
    ["the connection is cut after it was made", ["cut_after"], "succeeded"],
    ["the connection is cut before", ["cut"], "succeeded"],
    ["another process is at it with the same key", ["in_use"], "succeeded"],
    ["Stripe failed after it was made, and says so again and again", ["fail_after"], "succeeded"],
  ] as const)("%s", async (_what, troubles, status) => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble(...troubles);
    const input = { amount: toCents(5_000), payment_method_id: id, key: newId() };
    expect(await topUpWallet(advertiser, { ...input, returnPath: () => "/back" })).toMatchObject({ status });
    expect(payments().made).toBe(before + 1);
    expect(await balance()).toBe(50);
  });

  test("both tries are cut: nobody knows, until the job asks with the same key", async () => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble("cut_after", "cut");
    const input = { amount: toCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectRefusal(topUpWallet(advertiser, input), "unavailable");
    expect((await db().select().from(topUps).where(own())).map((row) => row.status)).toEqual(["pending"]);
    expect(await balance()).toBe(0);
    await expectRefusal(removePaymentMethod(advertiser, { id }), "invalid_transition");
    world.passDays(0.01);
    const done = await Promise.all([finishDueTopUps(world.job), finishDueTopUps(world.job)]);
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect([payments().made, await balance()]).toEqual([before + 1, 50]);
  });

  test("and its key is forgotten there before the job comes: it is found by its name", async () => {
    const { id } = await add();
    const before = payments().made;
    stripe.trouble("cut_after", "cut");
    const input = { amount: toCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectRefusal(topUpWallet(advertiser, input), "unavailable");
    stripe.forgetKeys();
    world.passDays(2);
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

test("a charge that nobody asked for just now is made without the person, who is asked where the bank insists", async () => {
  const request = { amount: 9_900, description: "Plan", returnPath: "/back" as const, unattended: true };
  const charged = async (card: RemoteCard) => {
    const row = await getMethodRow(advertiser, (await add(card)).id);
    const charge = () => chargeMethod(world.job, row, { ...request, key: `plan/${row.id}` });
    const first = await charge();
    expect(await charge()).toEqual(first);
    return first;
  };
  expect(await charged("visa")).toMatchObject({ state: "succeeded" });
  const asked = await charged("asking");
  expect(asked).toMatchObject({ state: "needs_confirmation", url: expect.stringContaining("/confirm/pi_") });
  stripe.answerBank(asked.paymentId ?? "", true);
  expect(await paymentProvider(advertiser).readCharge(asked.paymentId ?? "")).toMatchObject({ state: "succeeded" });
});

test("a payment is given back once for a key, and never more than it was", async () => {
  const { id } = await topUp(50);
  const [row] = await db().select().from(topUps).where(eq(topUps.id, id));
  const back = (key: string, amount: number) =>
    paymentProvider(advertiser).refund({ key, paymentId: row?.paymentId ?? "", amount });
  const same = await Promise.all([1, 2, 3].map(() => back("one", 3_000)));
  expect(new Set(same.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await back("two", 2_001)).toMatchObject({ state: "refused" });
  expect(await back("three", 2_000)).toMatchObject({ state: "succeeded" });
});
