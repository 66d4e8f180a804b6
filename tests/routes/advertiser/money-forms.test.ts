import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { newId, type PaymentMethodId } from "#app/domain/ids.ts";
import * as topUp from "#app/screens/advertiser/billing/top-up/route.tsx";
import * as revenue from "#app/screens/publisher/revenue/overview/route.tsx";
import * as choosePlan from "#app/screens/publisher/subscription/choose-plan/route.tsx";
import * as billing from "#app/screens/shared/billing/overview/route.tsx";
import * as removal from "#app/screens/shared/billing/remove-payment-method/route.tsx";
import { paymentMethods } from "#db/schema/index.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
let own: PaymentMethodId;
let foreign: PaymentMethodId;
beforeAll(async () => {
  own = (await addPaymentMethod(world().northwind, { token: "tok_visa" })).id;
  foreign = (await addPaymentMethod(world().brightside, { token: "tok_visa" })).id;
  await addPaymentMethod(world().harbor, { token: "tok_visa" });
});

const amounts = [
  "",
  "-50",
  "0",
  "-0",
  "10.001",
  "1e15",
  "1e3",
  "NaN",
  "Infinity",
  "999999999999999",
  "ten",
  "$",
  "9.99",
];

/** Returns the number of rows about money: ledger entries, top-ups, transactions, payouts and plan changes. */
async function entries() {
  const [row] = await world().db.execute(sql`
    select (select count(*)::int from ledger_entries) + (select count(*)::int from top_ups) + (select count(*)::int from transactions)
      + (select count(*)::int from payouts) + (select count(*)::int from plan_changes) as count`);
  return row?.count;
}

test("a top-up of an invalid amount is rejected at its field, keeps the input, and leaves no entry", async () => {
  for (const amount of amounts) {
    const form = { amount, payment_method_id: own, idempotency_key: newId() };
    const { status, body } = await visit(world(), "northwind", topUp.action, "/advertiser/billing/top-up", { form });
    expect(status, amount).toBe(422);
    expect(body, amount).toMatchObject({ error: { amount: [expect.stringMatching(/^Enter an amount from \$10 to/)] } });
    if (amount) expect(body).toMatchObject({ initialValue: { amount, payment_method_id: own } });
  }
  expect(await entries()).toBe(0);
});

test("a form of a payment without its hidden key says so of the form, which has no field of that name", async () => {
  const form = { amount: "50", payment_method_id: own };
  const { status, body } = await visit(world(), "northwind", topUp.action, "/advertiser/billing/top-up", { form });
  expect([status, body]).toMatchObject([422, { error: { "": ["Reload this page and try again"] } }]);
  expect(body).not.toMatchObject({ error: { idempotency_key: expect.anything() } });
});

test("a top-up with another account's card, an unknown one, or another provider's is rejected at its field", async () => {
  const old = (await addPaymentMethod(world().northwind, { token: "tok_mastercard" })).id;
  await world().db.update(paymentMethods).set({ provider: "stripe" }).where(eq(paymentMethods.id, old));
  for (const payment_method_id of [foreign, newId(), "no id", "", old]) {
    const form = { amount: "50", payment_method_id, idempotency_key: newId() };
    const { status, body } = await visit(world(), "northwind", topUp.action, "/advertiser/billing/top-up", { form });
    expect([status, body]).toMatchObject([422, { error: { payment_method_id: [expect.any(String)] } }]);
    expect(body).toMatchObject({ initialValue: { amount: "50" } });
  }
  const form = { payment_method_id: foreign };
  const list = "/advertiser/billing?tab=methods";
  expect((await visit(world(), "northwind", billing.action, list, { form })).status).not.toBe(302);
  expect(await entries()).toBe(0);
});

test("a payout or a plan with a forged amount is rejected, and leaves no entry", async () => {
  for (const amount of amounts.filter((text) => text !== "")) {
    const form = { amount, idempotency_key: newId() };
    const payout = await visit(world(), "harbor", revenue.action, "/publisher/revenue", { form });
    expect([amount, payout.status >= 400 && payout.status < 500]).toEqual([amount, true]);
    const params = { plan: "starter" };
    const plan = await visit(world(), "harbor", choosePlan.action, "/x", { form, params });
    if (Number(amount) === 0) continue;
    expect([amount, plan.status]).toEqual([amount, 422]);
  }
});

test("the page that removes the default card names the one that becomes the default, if there is one", async () => {
  for (const token of ["tok_visa", "tok_mastercard"]) await addPaymentMethod(world().fern, { token });
  const [chosen = expect.fail(), ...others] = await listPaymentMethods(world().fern);
  const path = `/publisher/billing/payment-methods/${chosen.id}/remove`;
  const open = async () => (await visit(world(), "fern", removal.loader, path, { params: { id: chosen.id } })).body;
  const [next = expect.fail()] = others;
  expect(await open()).toMatchObject({ isDefault: true, next: methodName(next) });

  for (const { id } of others) await removePaymentMethod(world().fern, { id });
  expect(await open()).toMatchObject({ isDefault: true });
  expect(await open()).not.toMatchObject({ next: expect.anything() });
});
