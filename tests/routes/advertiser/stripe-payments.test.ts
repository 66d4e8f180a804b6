import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import * as topUp from "#app/screens/advertiser/billing/top-up/route.tsx";
import * as topUpResult from "#app/screens/advertiser/billing/top-up-result/route.tsx";
import * as planPayment from "#app/screens/publisher/subscription/payment/route.tsx";
import { topUps } from "#db/schema/index.ts";
import { type FakeCard, type FakeStripe, startStripe, stripeVariables } from "#tests/support/fakes/fake-stripe.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => stripeVariables(stripe));
afterAll(() => stripe.stop());
const world = useWorld();

const paths = { returnPath: "/back", cancelPath: "/back" } as const;
async function add(who: Ctx<TenantActor>, card: FakeCard = "visa") {
  const reference = (await startPaymentMethodSetup(who, paths)).url.split("/").at(-1) ?? "";
  stripe.addCard(reference, card);
  return (await addPaymentMethod(who, { token: reference })).id;
}
const own = () =>
  world()
    .db.select()
    .from(topUps)
    .where(eq(topUps.accountId, world().accountId("northwind")));

test("a top-up whose provider does not respond leads to its own page, and not to a second payment", async () => {
  const methodId = await add(world().northwind);
  stripe.trouble("cut_after", "cut");
  const form = { amount: "50", payment_method_id: methodId, idempotency_key: newId() };
  const sent = await visit(world(), "northwind", topUp.action, "/advertiser/billing/top-up", { form });
  const [row] = await own();
  const path = `/advertiser/billing/top-ups/${row?.id}`;
  expect([sent.status, sent.location]).toEqual([302, path]);

  const params = { id: row?.id ?? "" };
  stripe.trouble("limited");
  const waiting = await visit(world(), "northwind", topUpResult.loader, path, { params });
  expect([waiting.status, waiting.body]).toMatchObject([200, { status: "pending", amount: 5_000 }]);
  const done = await visit(world(), "northwind", topUpResult.loader, path, { params });
  expect([done.location, (await messageOf(done))?.message]).toEqual([
    "/advertiser/billing",
    "$50.00 added to your wallet",
  ]);
  expect([stripe.all("payment_intent").length, (await own()).length]).toEqual([1, 1]);
});

test("a top-up that is not confirmed leads back to its form, with the amount and the card", async () => {
  const methodId = await add(world().northwind, "asking");
  const form = { amount: "60.50", payment_method_id: methodId, idempotency_key: newId() };
  const sent = await visit(world(), "northwind", topUp.action, "/advertiser/billing/top-up", { form });
  const intent = stripe.all("payment_intent").at(-1)?.id ?? "";
  expect(sent.location).toBe(`${stripe.origin}/confirm/${intent}`);
  stripe.answerBank(intent, false);
  const id = (await own()).find((row) => row.paymentMethodId === methodId)?.id ?? "";
  const path = `/advertiser/billing/top-ups/${id}`;
  const done = await visit(world(), "northwind", topUpResult.loader, path, { params: { id } });
  expect(done.location).toBe(`/advertiser/billing/top-up?amount=60.5&method=${methodId}&payment=${id}`);
  expect(await messageOf(done)).toMatchObject({ tone: "error" });
});

test("the page of a plan's payment shows what is stored while the provider does not respond", async () => {
  const { harbor } = world();
  await world().subscribe("harbor", undefined);
  await add(harbor, "asking");
  const path = (id: string) => `/publisher/billing/subscription/payments/${id}` as const;
  const { id } = await changePlan(harbor, { planType: "starter", key: newId(), returnPath: path });
  const open = () => visit(world(), "harbor", planPayment.loader, path(id), { params: { id } });
  stripe.trouble("limited");
  expect((await open()).body).toMatchObject({
    status: "needs_confirmation",
    confirmUrl: expect.stringContaining("/confirm/"),
  });
  stripe.answerBank(String(stripe.all("payment_intent").at(-1)?.id), true);
  expect((await open()).location).toBe("/thank-you/subscription");
});
