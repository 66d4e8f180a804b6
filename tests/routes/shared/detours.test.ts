import { expect, it } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import { quotePlan } from "#app/domain/billing/subscription/quote-plan.server.ts";
import { newId } from "#app/domain/ids.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { sandboxBankAccounts } from "#app/domain/payments/sandbox/sandbox-bank-accounts.ts";
import { chooseCard, getCardPage, getPaymentToConfirm } from "#app/domain/payments/sandbox/sandbox-pages.server.ts";
import * as topUp from "#app/screens/advertiser/billing/top-up/route.tsx";
import * as connect from "#app/screens/publisher/audiences/connect/route.tsx";
import * as connections from "#app/screens/publisher/audiences/connections/route.tsx";
import * as payoutAccount from "#app/screens/publisher/revenue/payout-account/route.tsx";
import * as choosePlan from "#app/screens/publisher/subscription/choose-plan/route.tsx";
import * as addCard from "#app/screens/shared/billing/add-payment-method/route.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const page = "/publisher/audiences/create?method=direct";
const query = `?${new URLSearchParams({ next: page })}`;
const elsewhere = `?${new URLSearchParams({ next: "//evil.example/publisher/" })}`;

it("adding a card returns from the provider's page, and by its cancel link", async () => {
  const path = "/publisher/billing/payment-methods/add";
  const opened = await visit(world(), "harbor", addCard.action, `${path}${query}`, { form: {} });
  const id = /[^/]+$/.exec(opened.location ?? "")?.[0] ?? "";
  const ctx = { db: world().db, clock: world().clock };
  expect(await getCardPage(ctx, id)).toEqual({ cancelPath: page });
  const back = await chooseCard(ctx, { id, card: "tok_visa" });
  expect(back).toBe(`${path}${query}&setup=${id}`);
  expect((await visit(world(), "harbor", addCard.loader, back)).location).toBe(page);

  const wrong = await visit(world(), "harbor", addCard.action, `${path}${elsewhere}`, { form: {} });
  const other = /[^/]+$/.exec(wrong.location ?? "")?.[0] ?? "";
  expect(await getCardPage(ctx, other)).toEqual({ cancelPath: "/publisher/billing?tab=methods" });
});

it("a top-up returns to the page that lacked the funds", async () => {
  const { id } = await addPaymentMethod(world().northwind, { token: "tok_visa" });
  const pay = (search: string) => {
    const form = { amount: "50", payment_method_id: id, idempotency_key: newId() };
    return visit(world(), "northwind", topUp.action, `/advertiser/billing/top-up${search}`, { form });
  };
  expect((await pay("?next=%2Fadvertiser%2Fcampaigns%2Fx%3Fstep%3D6")).location).toBe("/advertiser/campaigns/x?step=6");
  expect((await pay(query)).location).toBe("/advertiser/billing");
  expect((await pay(elsewhere)).location).toBe("/advertiser/billing");
});

it("a top-up that the bank wants confirmed returns after the bank's page", async () => {
  const { id } = await addPaymentMethod(world().northwind, { token: "tok_confirmation" });
  const next = "?next=%2Fadvertiser%2Fdashboard";
  const form = { amount: "50", payment_method_id: id, idempotency_key: newId() };
  const response = await visit(world(), "northwind", topUp.action, `/advertiser/billing/top-up${next}`, { form });
  const payment = /^\/dev\/payments\/confirm\/([^/]+)$/.exec(response.location ?? "")?.[1] ?? "";
  const { returnPath } = await getPaymentToConfirm({ db: world().db, clock: world().clock }, payment);
  expect(returnPath).toMatch(/^\/advertiser\/billing\/top-ups\/[0-9a-f-]{36}\?next=%2Fadvertiser%2Fdashboard$/);
});

it("choosing a plan returns to the page that required it, also after a declined card", async () => {
  await world().subscribe("fern", undefined);
  const { amount } = await quotePlan(world().fern, { planType: "enterprise" });
  const choose = async (token: string) => {
    const { id } = await addPaymentMethod(world().fern, { token });
    await setDefaultPaymentMethod(world().fern, { id });
    const form = { idempotency_key: newId(), amount: String(centsToDollars(amount)) };
    const path = `/publisher/billing/subscription/plans/enterprise${query}`;
    return visit(world(), "fern", choosePlan.action, path, { form, params: { plan: "enterprise" } });
  };
  const declined = await choose("tok_declined");
  const form = /^\/publisher\/billing\/subscription\/plans\/enterprise\?payment=[0-9a-f-]{36}&/;
  expect([declined.status, declined.location]).toEqual([302, expect.stringMatching(form)]);
  expect(declined.location?.endsWith(`&${query.slice(1)}`)).toBe(true);
  expect(await choose("tok_visa")).toMatchObject({ status: 302, location: page });
});

it("adding a bank account returns, and the page of an integration leads back", async () => {
  const form = { token: sandboxBankAccounts[0].token };
  const saved = await visit(world(), "harbor", payoutAccount.action, `/publisher/revenue/account${query}`, { form });
  expect(saved.location).toBe(page);
  const list = "/publisher/audiences/connections";
  expect((await visit(world(), "harbor", connections.loader, list + query)).body).toMatchObject({ next: page });
  expect((await visit(world(), "harbor", connections.loader, list + elsewhere)).body).not.toHaveProperty("next", page);
  const path = "/publisher/audiences/connections/klaviyo";
  const params = { integration: "klaviyo" };
  expect((await visit(world(), "harbor", connect.loader, path + query, { params })).body).toMatchObject({ next: page });
  expect((await visit(world(), "harbor", connect.loader, path + elsewhere, { params })).body).toMatchObject({
    next: "/publisher/audiences/connections",
  });
});
