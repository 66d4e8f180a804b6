import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { isCurrentSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { newId } from "#app/domain/ids.ts";
import { getPaymentToConfirm } from "#app/domain/payments/sandbox/sandbox-pages.server.ts";
import * as confirm from "#app/screens/dev/payments/confirm/route.tsx";
import * as cancel from "#app/screens/publisher/subscription/cancel/route.tsx";
import * as choosePlan from "#app/screens/publisher/subscription/choose-plan/route.tsx";
import * as pay from "#app/screens/publisher/subscription/pay/route.tsx";
import * as payment from "#app/screens/publisher/subscription/payment/route.tsx";
import { subscriptions } from "#db/schema/index.ts";
import { messageOf, useWorld, visit } from "./portal.ts";

const world = useWorld();
const plans = "/publisher/billing/subscription/plans";
const failure = "The card was declined. Use another payment method or contact your bank.";

async function payWith(token: string) {
  const { id } = await addPaymentMethod(world().harbor, { token });
  await setDefaultPaymentMethod(world().harbor, { id });
}
const choose = () =>
  visit(world(), "harbor", choosePlan.action, `${plans}/starter`, {
    params: { plan: "starter" },
    form: { idempotency_key: newId(), amount: "99" },
  });
const open = (plan: string, search: string) =>
  visit(world(), "harbor", choosePlan.loader, `${plans}/${plan}${search}`, { params: { plan } });

test("a declined card leads back to the form, which says why, and no other form does", async () => {
  await world().subscribe("harbor", undefined);
  await payWith("tok_declined");
  const sent = await choose();
  const location = sent.location ?? "";
  expect([sent.status, location]).toEqual([302, expect.stringMatching(`^${plans}/starter\\?payment=[\\w-]{36}$`)]);
  expect(await messageOf(sent)).toEqual({ tone: "error", message: failure });
  const [, search = ""] = /(\?.*)$/.exec(location) ?? [];
  expect((await open("starter", search)).body).toMatchObject({ failed: { failure } });
  for (const other of ["", "?payment=", "?payment=x", `?payment=${newId()}`])
    expect((await open("starter", other)).body).toMatchObject({ failed: undefined, quote: { amount: 9_900 } });
  expect((await open("professional", search)).body).toMatchObject({ failed: undefined });
  const foreign = await visit(world(), "fern", choosePlan.loader, location, { params: { plan: "starter" } });
  expect(foreign.body).toMatchObject({ failed: undefined });
});

test("a payment that has to be confirmed names the card; one that is not confirmed leads back to the form", async () => {
  await payWith("tok_confirmation");
  const bank = (await choose()).location ?? "";
  const { returnPath } = await getPaymentToConfirm({ db: world().db, clock: world().clock }, paramsOf(bank).payment);
  const params = { id: returnPath.split("/").at(-1) ?? "" };
  const openPayment = () => visit(world(), "harbor", payment.loader, returnPath, { params });
  expect((await openPayment()).body).toMatchObject({ card: "Visa •••• 3220", planType: "starter" });
  await visit(world(), "harbor", confirm.action, bank, { params: paramsOf(bank), form: { answer: "refuse" } });
  expect((await openPayment()).location).toBe(`${plans}/starter?payment=${params.id}`);
  expect((await open("starter", `?payment=${params.id}`)).body).toMatchObject({
    failed: { failure: "The payment was not confirmed. You were not charged." },
  });
});

test("a declined renewal leads back to the page of the payment, which says why", async () => {
  await world().subscribe("harbor", "starter");
  await payWith("tok_declined");
  const own = eq(subscriptions.accountId, world().accountId("harbor"));
  await world().db.update(subscriptions).set({ dueAt: world().clock() }).where(own);
  expect(await renewDueSubscriptions(world().job)).toBe(1);
  const path = "/publisher/billing/subscription/pay";
  const sent = await visit(world(), "harbor", pay.action, path, { form: { idempotency_key: newId() } });
  expect(sent.location).toMatch(new RegExp(`^${path}\\?payment=[\\w-]{36}$`));
  expect((await visit(world(), "harbor", pay.loader, sent.location ?? "")).body).toMatchObject({ failed: { failure } });
  expect((await visit(world(), "harbor", pay.loader, path)).body).toMatchObject({ failed: undefined });
  expect((await open("starter", sent.location?.replace(path, "") ?? "")).body).toMatchObject({ failed: undefined });
});

test("a past-due plan that is canceled twice is canceled, and the second form says so too", async () => {
  await world().subscribe("harbor", "starter");
  const own = isCurrentSubscription(world().accountId("harbor"));
  await world().db.update(subscriptions).set({ status: "past_due", pastDueSince: world().clock() }).where(own);
  const path = "/publisher/billing/subscription/cancel";
  for (const _ of [1, 2]) {
    const sent = await visit(world(), "harbor", cancel.action, path, { form: {} });
    expect(sent.location).toBe("/publisher/billing?tab=subscription");
    expect(await messageOf(sent)).toEqual({ tone: "success", message: "Plan canceled." });
  }
});

function paramsOf(bank: string) {
  return { payment: bank.split("/").at(-1) ?? "" };
}
