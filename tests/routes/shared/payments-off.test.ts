import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { forgetPaymentPages } from "#app/domain/billing/payments/forget-payment-pages.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import { getCardPage } from "#app/domain/billing/payments/sandbox-pages.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { newId, type PaymentMethodId, type PayoutId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import * as topUp from "#app/screens/advertiser/top-up.tsx";
import * as payoutAccount from "#app/screens/publisher/payout-account.tsx";
import { NothingToPayWith } from "#app/screens/publisher/plan/pay-with.tsx";
import * as add from "#app/screens/shared/billing/add-payment-method.tsx";
import * as billing from "#app/screens/shared/billing/billing.tsx";
import { PaymentMethodsTab } from "#app/screens/shared/billing/payment-methods-tab.tsx";
import { PlanCards } from "#app/screens/shared/billing/plan-cards.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { paymentMethods, payoutAccounts, payouts, sandboxPages, topUps } from "#db/schema/index.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
/** As with Google's sign-in and without keys of Stripe's. */
beforeAll(() => {
  process.env.PAYMENTS = "off";
});

test("where nobody takes payments a card of the sandbox brings no money, and no page of the sandbox is there", async () => {
  const who = world().northwind;
  await expectRefusal(addPaymentMethod(who, { token: "tok_visa" }), "unavailable");
  const id = newId<PaymentMethodId>();
  await world()
    .db.insert(paymentMethods)
    .values({
      id,
      accountId: who.actor.accountId,
      provider: "sandbox",
      type: "card",
      brand: "Visa",
      lastFour: "4242",
      expiresMonth: 12,
      expiresYear: 2034,
      token: Buffer.from("left from before"),
      isDefault: true,
      createdAt: world().clock(),
    });
  const wanted = { amount: toCents(5_000), payment_method_id: id, key: "a", returnPath: () => "/back" as const };
  await expectRefusal(topUpWallet(who, wanted), "unavailable");
  expect(await world().db.$count(topUps)).toBe(0);
  expect(await listPaymentMethods(who)).toMatchObject([{ id, usable: false, isDefault: false }]);
  await removePaymentMethod(who, { id });
  expect(await listPaymentMethods(who)).toEqual([]);
  const page = { id: "page_a", owner: who.actor.accountId, returnPath: "/a", cancelPath: "/b", createdAt: new Date(0) };
  await world().db.insert(sandboxPages).values(page);
  await expectRefusal(getCardPage(who, "page_a"), "not_found");
  expect(await forgetPaymentPages(world().job)).toBe(1);
});

test("billing says so on both sides, and the page for a top-up, instead of offering what cannot be done", async () => {
  for (const [who, portal] of [
    ["northwind", "advertiser"],
    ["harbor", "publisher"],
  ] as const) {
    const { body } = await visit(world(), who, billing.loader, `/${portal}/billing?tab=methods`);
    expect(body).toMatchObject({ loaded: { tab: "methods" }, setUp: false });
  }
  const { body } = await visit(world(), "northwind", topUp.loader, "/advertiser/billing/top-up");
  expect(body).toMatchObject({ setUp: false });
  const path = "/advertiser/billing/payment-methods/add";
  const { status, location } = await visit(world(), "northwind", add.action, path, {});
  expect([status, location]).toEqual([302, "/advertiser/billing?tab=methods"]);
});

test("no notice and no plan leads to a payment: each says why instead", () => {
  const off = { base: "/advertiser", setUp: false } as const;
  const wallet = { holds: true, lastDay: null };
  const shown = [
    createElement(WalletNotice, { ...off, wallet }),
    createElement(WalletNotice, { ...off, wallet: { holds: false, lastDay: world().today() } }),
    createElement(WalletNotice, { ...off, wallet: { ...wallet, takenBack: toCents(500), owed: toCents(500) } }),
    createElement(PlanCards, { ...off, base: "/publisher", current: undefined }),
    createElement(PaymentMethodsTab, { ...off, loaded: { methods: [] } }),
    createElement(NothingToPayWith, { ...off, base: "/publisher", method: null }),
  ].map((element) => renderToStaticMarkup(element));
  for (const html of shown) {
    expect(html).toContain("Payments are not set up");
    expect(html).not.toMatch(/<a |<form/);
  }
  expect(shown[3]?.match(/<button[^>]* disabled=""[^>]*>Upgrade</g)).toHaveLength(3);
});

test("and nobody says that a payout arrived: none begins, and one that was begun before waits", async () => {
  const { harbor, job, db } = world();
  const { accountId: publisherId } = harbor.actor;
  await expectRefusal(setPayoutAccount(harbor, { token: "bank_sandbox" }), "unavailable");
  const account = { provider: "sandbox", token: "bank_sandbox", bank: "Sandbox Bank", lastFour: "6789" } as const;
  const now = world().clock();
  expect(await db.$count(payoutAccounts, eq(payoutAccounts.publisherId, publisherId))).toBe(1);
  await expectRefusal(requestPayout(harbor, {}), "unavailable");
  await db.insert(payouts).values({
    ...account,
    id: newId<PayoutId>(),
    publisherId,
    status: "pending",
    amountCents: 5_000,
    dueAt: now,
    createdAt: now,
  });
  expect([await startMonthlyPayouts(job), await sendDuePayouts(job)]).toEqual([0, 0]);
  expect(await db.select({ status: payouts.status, failures: payouts.failures }).from(payouts)).toEqual([
    { status: "pending", failures: 1 },
  ]);
  const { body } = await visit(world(), "harbor", payoutAccount.loader, "/publisher/revenue/account");
  expect(body).toMatchObject({ by: null, account: null });
});
