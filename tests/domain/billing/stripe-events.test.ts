import { createServer, type Server } from "node:http";
import { and, eq, sql } from "drizzle-orm";
import express from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { beginPaymentMethod } from "#app/domain/billing/payments/begin-payment-method.server.ts";
import { receiveStripeEvent } from "#app/domain/billing/payments/events/receive-stripe-event.server.ts";
import { forgetPaymentPages } from "#app/domain/billing/payments/forget-payment-pages.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { paymentProvider } from "#app/domain/billing/payments/provider-of.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import type { AdvertiserActor, Ctx, TenantActor } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import { env } from "#app/env.server.ts";
import { auditEntries, notifications, paymentMethods, providerEvents, topUps } from "#db/schema/index.ts";
import { limitRequests } from "#server/request-checks.ts";
import { stripeEvents, stripeEventsPath } from "#server/stripe-events.ts";
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
beforeEach(async () => {
  world.setNow(new Date().toISOString());
  const { accountId, userId } = await newMember("advertiser");
  advertiser = { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
});

type Message = ReturnType<RemoteStripe["message"]>;
const receive = ({ body, signature }: Message) => receiveStripeEvent(world.job, { body: Buffer.from(body), signature });
const paths = { returnPath: "/advertiser/billing/payment-methods/add", cancelPath: "/advertiser/billing" } as const;
async function visit(card: RemoteCard, who: Ctx<TenantActor> = advertiser) {
  const reference = (await beginPaymentMethod(who, paths)).url.split("/").at(-1) ?? "";
  stripe.addCard(reference, card);
  return reference;
}
const add = async (card: RemoteCard = "visa") => addPaymentMethod(advertiser, { token: await visit(card) });
const topUp = async (card: RemoteCard = "visa") =>
  topUpWallet(advertiser, {
    amount: toCents(5_000),
    payment_method_id: (await add(card)).id,
    key: newId(),
    returnPath: () => "/back" as const,
  });
const payment = () => stripe.all("payment_intent").at(-1) ?? expect.fail();
const balance = async () => (await getWallet(advertiser)).balance / 100;
const statuses = async () => {
  const own = eq(topUps.accountId, advertiser.actor.accountId);
  return (await db().select().from(topUps).where(own)).map(({ status }) => status);
};
const told = (action: string) =>
  db().$count(
    auditEntries,
    and(eq(auditEntries.action, action), eq(auditEntries.entityId, advertiser.actor.accountId)),
  );
const notices = async () => {
  const own = eq(notifications.accountId, advertiser.actor.accountId);
  const rows = await db().select().from(notifications).where(own);
  return [...new Set(rows.map(({ event }) => event))].filter((event) => event.startsWith("payment_")).sort();
};

describe("a message is taken only when Stripe signed it, for us, just now, and these bytes:", () => {
  const good = () => stripe.message("payment_intent.succeeded", { id: "pi_1", metadata: {} });
  const minutes = (count: number) => ({ at: Math.floor(Date.now() / 1_000) - count * 60 });
  test.each<[string, () => Message]>([
    ["another secret", () => stripe.message("payment_intent.succeeded", {}, { secret: "whsec_another" })],
    ["another body", () => ({ ...good(), body: `${good().body} ` })],
    ["another's signature", () => ({ ...good(), signature: stripe.message("charge.refunded", {}).signature })],
    ["no signature", () => ({ ...good(), signature: "" })],
    ["a signature of nothing", () => ({ ...good(), signature: "t=1,v1=" })],
    ["six minutes late", () => stripe.message("payment_intent.succeeded", { id: "pi_1", metadata: {} }, minutes(6))],
    ["no JSON", () => ({ ...good(), body: "{" })],
  ])("%s", async (_what, make) => {
    const before = await db().$count(providerEvents);
    await expectRefusal(receive(make()), "invalid_input");
    expect(await db().$count(providerEvents)).toBe(before);
  });

  test("four minutes late is in time; what is nobody's here, or of a kind that we do not know, has no effect", async () => {
    const foreign = { id: "pi_foreign", metadata: { endcap_key: `top_up/${newId()}` }, customer: "cus_other" };
    const card = { id: "pm_1", customer: "cus_other" };
    for (const message of [
      stripe.message("payment_intent.succeeded", foreign, minutes(4)),
      stripe.message("payment_intent.succeeded", { id: "pi_2", metadata: { endcap_key: "top_up/'; --" } }),
      stripe.message("payment_intent.succeeded", { id: "pi_3", metadata: {} }),
      stripe.message("checkout.session.completed", { id: "cs_foreign" }),
      stripe.message("payment_method.updated", card),
      stripe.message("payment_method.detached", { ...card, customer: null }),
      stripe.message("charge.dispute.created", { id: "dp_1", payment_intent: "pi_foreign" }),
      stripe.message("charge.refunded", { id: "ch_1", payment_intent: null }),
      stripe.message("product.created", { id: "prod_1" }),
    ]) {
      expect(await receive(message)).toMatchObject({ done: true, alarm: false });
    }
  });
});

describe("news of a payment", () => {
  test.each([
    [true, ["succeeded"], 50],
    [false, ["failed"], 0],
  ])(
    "ends a top-up that waited for its person (%s), in any order of messages, each of them twice",
    async (said, ended, money) => {
      await topUp("asking");
      const intent = payment();
      // What a message says was true once: it is asked again.
      const early = stripe.message("payment_intent.requires_action", structuredClone(intent));
      const wrong = stripe.message("payment_intent.payment_failed", { ...structuredClone(intent), status: "canceled" });
      expect(await receive(wrong)).toMatchObject({ done: true });
      expect(await statuses()).toEqual(["needs_confirmation"]);
      stripe.answerBank(intent.id, said);
      const last = stripe.message(said ? "payment_intent.succeeded" : "payment_intent.payment_failed", intent);
      const done = await Promise.all([last, last, last, early].map(receive));
      expect(done.filter((one) => one.done)).toHaveLength(2);
      expect(await receive(early)).toMatchObject({ done: false });
      expect([await statuses(), await balance()]).toEqual([ended, money]);
      expect(await checkLedger(world.job)).toEqual([]);
    },
  );

  test("finishes one whose answer never came, before any job does", async () => {
    const { id } = await add();
    stripe.trouble("cut_after", "cut");
    const input = { amount: toCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectRefusal(topUpWallet(advertiser, input), "unavailable");
    const before = stripe.all("payment_intent").length;
    expect(await receive(stripe.message("payment_intent.succeeded", payment()))).toMatchObject({ done: true });
    expect([await statuses(), await balance()]).toEqual([["succeeded"], 50]);
    await removePaymentMethod(advertiser, { id });
    expect(stripe.all("payment_intent")).toHaveLength(before);
  });

  test("books what came in for one that was given up: money is never lost", async () => {
    const { id } = await topUp("declined");
    const intent = payment();
    await db().update(topUps).set({ paymentId: null }).where(eq(topUps.id, id));
    Object.assign(intent, { status: "succeeded" });
    await receive(stripe.message("payment_intent.succeeded", intent));
    expect([await statuses(), await balance()]).toEqual([["succeeded"], 50]);
    const second = { ...intent, id: "pi_second" };
    expect(await receive(stripe.message("payment_intent.succeeded", second))).toMatchObject({ alarm: true });
    expect(await told("account.charged_twice")).toBe(1);
    expect(await balance()).toBe(50);
  });

  test("begins a plan whose publisher confirmed it and closed the window, once", async () => {
    const { accountId, userId } = await newMember("publisher");
    const publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } } as const;
    await addPaymentMethod(publisher, { token: await visit("asking", publisher) });
    const choice = { planType: "professional", key: newId(), returnPath: () => "/publisher/billing" as const } as const;
    expect(await changePlan(publisher, choice)).toMatchObject({ status: "needs_confirmation" });
    expect(await findSubscription(publisher)).toBeUndefined();
    stripe.answerBank(payment().id, true);
    const news = [1, 2, 3].map(() => stripe.message("payment_intent.succeeded", payment()));
    await Promise.all(news.map(receive));
    expect(await findSubscription(publisher)).toMatchObject({ planType: "professional", status: "active" });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("comes again when Stripe could not be asked, and is done then", async () => {
    await topUp("asking");
    const message = stripe.message("payment_intent.succeeded", payment());
    stripe.answerBank(payment().id, true);
    stripe.trouble("fail", "fail");
    await expectRefusal(receive(message), "unavailable");
    expect(await statuses()).toEqual(["needs_confirmation"]);
    expect(await receive(message)).toMatchObject({ done: true });
    expect(await statuses()).toEqual(["succeeded"]);
  });
});

describe("news of a way to pay", () => {
  const cards = async () =>
    (await listPaymentMethods(advertiser)).map((one) => `${one.lastFour} ${one.expiresMonth}/${one.expiresYear}`);
  const method = () => stripe.all("payment_method").at(-1) ?? expect.fail();

  test("takes what was added by somebody who never came back, once, also when both come at once", async () => {
    const reference = await visit("visa");
    const message = stripe.message("checkout.session.completed", { id: reference });
    await Promise.all([receive(message), receive(message), addPaymentMethod(advertiser, { token: reference })]);
    expect(await cards()).toEqual(["4242 12/2034"]);
    const [row] = await db()
      .select()
      .from(paymentMethods)
      .where(eq(paymentMethods.accountId, advertiser.actor.accountId));
    expect(row).toMatchObject({ isDefault: true, provider: "stripe" });
  });

  test("shows a card's new expiry as Stripe says it now, and removes one that was detached there", async () => {
    await add();
    const old = structuredClone(method());
    Object.assign(method(), { card: { ...(old.card as object), exp_year: 2039, exp_month: 3 } });
    await receive(stripe.message("payment_method.automatically_updated", method()));
    await receive(stripe.message("payment_method.updated", old));
    expect(await cards()).toEqual(["4242 3/2039"]);
    const detached = stripe.message(
      "payment_method.detached",
      { ...method(), customer: null },
      {
        data: { previous_attributes: { customer: old.customer } },
      },
    );
    // Not so any more, or never.
    await receive({
      ...detached,
      ...stripe.message(
        "payment_method.detached",
        { ...old, customer: null },
        { data: { previous_attributes: { customer: old.customer } } },
      ),
    });
    expect(await cards()).toEqual(["4242 3/2039"]);
    Object.assign(method(), { customer: null });
    await Promise.all([receive(detached), receive(detached)]);
    expect(await cards()).toEqual([]);
  });
});

describe("money that went back past our books", () => {
  const stand = async () => [await balance(), await checkLedger(world.job)];

  test.each([
    ["charge.dispute.created", "charge.dispute.funds_reinstated", "dispute"],
    ["charge.refunded", "refund.failed", "refund"],
  ] as const)("%s is booked once, however often it is told, and so is what comes back", async (type, later, about) => {
    await topUp();
    const { id } = payment();
    const taken = stripe.takeBack(id, about, 2_000);
    const messages = [1, 2].map(() => stripe.message(type, about === "dispute" ? taken : { payment_intent: id }));
    const done = await Promise.all([...messages, ...messages].map(receive));
    expect(done.some(({ alarm }) => alarm)).toBe(true);
    expect(await stand()).toEqual([30, []]);
    stripe.giveAgain(taken);
    const back = stripe.message(later, taken);
    await Promise.all([receive(back), receive(back), receive(stripe.message(type, taken))]);
    expect(await stand()).toEqual([50, []]);
    expect(await notices()).toEqual(["payment_reinstated", "payment_taken_back"]);
  });

  test("messages in any order, and of several refunds, end as Stripe says; what is beyond the payment is told once", async () => {
    await topUp();
    const { id } = payment();
    const refunds = [500, 1_500].map((cents) => stripe.takeBack(id, "refund", cents));
    const dispute = stripe.takeBack(id, "dispute", 5_000);
    const late = stripe.message("charge.dispute.created", structuredClone(dispute));
    const told1 = await receive(stripe.message("refund.updated", refunds[1] ?? {}));
    expect([told1.alarm, await stand()]).toEqual([true, [0, []]]);
    expect(await told("account.payment_returned")).toBe(1);
    stripe.giveAgain(dispute);
    await receive(stripe.message("charge.dispute.closed", dispute));
    expect(await stand()).toEqual([30, []]);
    expect(await receive(late)).toMatchObject({ alarm: true });
    expect(await stand()).toEqual([30, []]);
    expect(await told("account.payment_returned")).toBe(1);
  });

  test("is booked also where the payment itself was not told of yet, and an inquiry takes nothing", async () => {
    const { id } = await add();
    stripe.trouble("cut_after", "cut");
    const input = { amount: toCents(5_000), payment_method_id: id, key: newId(), returnPath: () => "/back" as const };
    await expectRefusal(topUpWallet(advertiser, input), "unavailable");
    const asked = stripe.takeBack(payment().id, "inquiry", 5_000);
    const inquiry = [1, 2].map(() => stripe.message("charge.dispute.created", asked));
    for (const message of inquiry) expect(await receive(message)).toMatchObject({ alarm: true });
    expect([await statuses(), await stand(), await told("account.payment_disputed")]).toEqual([
      ["succeeded"],
      [50, []],
      1,
    ]);
    const taken = stripe.takeBack(payment().id, "dispute", 5_000);
    stripe.trouble("fail", "fail");
    const message = stripe.message("charge.dispute.funds_withdrawn", taken);
    await expectRefusal(receive(message), "unavailable");
    expect(await receive(message)).toMatchObject({ done: true, alarm: true });
    expect(await stand()).toEqual([0, []]);
  });

  test("leaves a plan past due whose period it paid for, and the plan goes on when the dispute is won", async () => {
    const { accountId, userId } = await newMember("publisher");
    const publisher = { ...visitor(), clock: world.clock, actor: { kind: "publisher", accountId, userId } } as const;
    await addPaymentMethod(publisher, { token: await visit("visa", publisher) });
    const choice = { planType: "professional", key: newId(), returnPath: () => "/publisher/billing" as const } as const;
    await changePlan(publisher, choice);
    const taken = stripe.takeBack(payment().id, "dispute", 29_900);
    await receive(stripe.message("charge.dispute.funds_withdrawn", taken));
    expect(await findSubscription(publisher)).toMatchObject({ status: "past_due", overdue: { amount: 29_900 } });
    expect(await checkLedger(world.job)).toEqual([]);
    stripe.giveAgain(taken);
    await receive(stripe.message("charge.dispute.closed", taken));
    expect(await findSubscription(publisher)).toMatchObject({ status: "active", overdue: null });
    expect(await checkLedger(world.job)).toEqual([]);
  });

  test("what we gave back ourselves is no news", async () => {
    await topUp();
    const { id } = payment();
    await paymentProvider(advertiser).refund({ key: newId(), paymentId: id, amount: 1_000 });
    expect(await receive(stripe.message("charge.refunded", { payment_intent: id }))).toMatchObject({ alarm: false });
    expect([await told("account.payment_returned"), await balance()]).toEqual([0, 50]);
  });
});

test("old messages are forgotten, long after Stripe would send them again", async () => {
  await db()
    .update(providerEvents)
    .set({ receivedAt: sql`${providerEvents.receivedAt} - interval '80 days'` });
  await forgetPaymentPages(world.job);
  const before = await db().$count(providerEvents);
  expect(before).toBeGreaterThan(10);
  world.passDays(11);
  await forgetPaymentPages(world.job);
  expect(await db().$count(providerEvents)).toBe(0);
});

describe("the address that Stripe sends to", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const app = express();
    app.use(stripeEventsPath, limitRequests({ milliseconds: 5_000, bytes: 20_000 }), stripeEvents(env()));
    app.use((_request, response) => void response.sendStatus(404));
    server = createServer(app).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}${stripeEventsPath}`;
  });
  afterAll(() => void server.close());
  const post = ({ body, signature }: Message, type = "application/json; charset=utf-8") =>
    fetch(url, { method: "POST", body, headers: { "Content-Type": type, "Stripe-Signature": signature } });

  test("takes the bytes as they came, and answers as Stripe wants it", async () => {
    await topUp("asking");
    stripe.answerBank(payment().id, true);
    const message = stripe.message("payment_intent.succeeded", { ...payment(), description: "Käse – ☕" });
    stripe.trouble("fail", "fail");
    const failed = await post(message);
    expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await (await post(message)).json()).toEqual({ received: true, done: true });
    expect(await (await post(message)).json()).toEqual({ received: true, done: false });
    expect(await balance()).toBe(50);
  });

  test("refuses what is forged, too large, or no message, in words and without a trace of what came", async () => {
    const forged = await post(stripe.message("payment_intent.succeeded", payment(), { secret: "whsec_another" }));
    expect([forged.status, (await forged.json()).error.code]).toEqual([400, "malformed"]);
    expect((await post({ body: "", signature: "" })).status).toBe(400);
    expect((await post({ body: "x".repeat(30_000), signature: "t=1,v1=2" })).status).toBe(413);
    expect((await fetch(url)).status).toBe(404);
  });
});
