import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { purgePaymentSetups } from "#app/domain/billing/payment-methods/purge-payment-setups.server.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { newId, type PaymentMethodId, type PayoutId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { getCardPage } from "#app/domain/payments/sandbox/sandbox-pages.server.ts";
import * as topUp from "#app/screens/advertiser/billing/top-up/route.tsx";
import * as payoutAccount from "#app/screens/publisher/revenue/payout-account/route.tsx";
import { PaymentMethodRequired } from "#app/screens/publisher/subscription/payment-source.tsx";
import * as add from "#app/screens/shared/billing/add-payment-method/route.ts";
import { PaymentMethodsTab } from "#app/screens/shared/billing/overview/payment-methods-tab.tsx";
import { PlanCards } from "#app/screens/shared/billing/overview/plan-cards.tsx";
import * as billing from "#app/screens/shared/billing/overview/route.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { paymentMethods, payoutAccounts, payoutRuns, payouts, sandboxSetupSessions, topUps } from "#db/schema/index.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
/** The environment of a server with Google sign-in and without Stripe keys. */
useEnvironment({ PAYMENTS: "off" });

test("without a payment provider a sandbox card brings no money, and no page of the sandbox exists", async () => {
  const who = world().northwind;
  await expectDomainError(addPaymentMethod(who, { token: "tok_visa" }), "unavailable");
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
  const wanted = { amount: asCents(5_000), payment_method_id: id, key: "a", returnPath: () => "/back" as const };
  await expectDomainError(topUpWallet(who, wanted), "unavailable");
  expect(await world().db.$count(topUps)).toBe(0);
  expect(await listPaymentMethods(who)).toMatchObject([{ id, usable: false, isDefault: false }]);
  await removePaymentMethod(who, { id });
  expect(await listPaymentMethods(who)).toEqual([]);
  const page = { id: "page_a", owner: who.actor.accountId, returnPath: "/a", cancelPath: "/b", createdAt: new Date(0) };
  await world().db.insert(sandboxSetupSessions).values(page);
  await expectDomainError(getCardPage(who, "page_a"), "not_found");
  expect(await purgePaymentSetups(world().job)).toBe(1);
});

test("billing and the top-up page say so for both parties, instead of offering what is not possible", async () => {
  for (const [who, portal] of [
    ["northwind", "advertiser"],
    ["harbor", "publisher"],
  ] as const) {
    const { body } = await visit(world(), who, billing.loader, `/${portal}/billing?tab=methods`);
    expect(body).toMatchObject({ loaded: { tab: "methods" }, paymentsEnabled: false });
  }
  const { body } = await visit(world(), "northwind", topUp.loader, "/advertiser/billing/top-up");
  expect(body).toMatchObject({ paymentsEnabled: false });
  const path = "/advertiser/billing/payment-methods/add";
  const { status, location } = await visit(world(), "northwind", add.action, path, {});
  expect([status, location]).toEqual([302, "/advertiser/billing?tab=methods"]);
});

test("no notification and no plan links to a payment: each says why instead", () => {
  const off = { base: "/advertiser", paymentsEnabled: false } as const;
  const wallet = { holds: true, lastDay: null, shortfall: asCents(500) };
  const shown = [
    createElement(WalletNotice, { ...off, wallet }),
    createElement(WalletNotice, { ...off, wallet: { ...wallet, holds: false, lastDay: world().today() } }),
    createElement(WalletNotice, { ...off, wallet: { ...wallet, reversed: asCents(500), owed: asCents(500) } }),
    createElement(PlanCards, { ...off, base: "/publisher", current: undefined }),
    createElement(PaymentMethodsTab, { ...off, loaded: { methods: [] } }),
    createElement(PaymentMethodRequired, { ...off, base: "/publisher", method: null }),
  ].map((element) => renderToStaticMarkup(element));
  for (const html of shown) {
    expect(html).toContain("No payment provider is connected yet");
    expect(html).not.toMatch(/<a |<form/);
  }
  expect(shown[3]?.match(/<button[^>]* disabled=""[^>]*>Upgrade</g)).toHaveLength(3);
});

test("and no payout is reported as arrived: none starts, and one started before waits", async () => {
  const { harbor, job, db } = world();
  const { accountId: publisherId } = harbor.actor;
  await expectDomainError(setPayoutAccount(harbor, { token: "bank_sandbox" }), "unavailable");
  const account = { provider: "sandbox", token: "bank_sandbox", bank: "Sandbox Bank", lastFour: "6789" } as const;
  const now = world().clock();
  expect(await db.$count(payoutAccounts, eq(payoutAccounts.publisherId, publisherId))).toBe(1);
  await expectDomainError(requestPayout(harbor, {}), "unavailable");
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
  // The month's payouts start once there is a provider.
  expect(await db.$count(payoutRuns)).toBe(0);
  expect(await db.select({ status: payouts.status, failures: payouts.failures }).from(payouts)).toEqual([
    { status: "pending", failures: 1 },
  ]);
  const { body } = await visit(world(), "harbor", payoutAccount.loader, "/publisher/revenue/account");
  expect(body).toMatchObject({ by: null, account: null });
});
