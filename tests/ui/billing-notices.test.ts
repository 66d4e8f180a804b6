import { type ComponentProps, createElement, type ReactElement } from "react";
import { expect, test } from "vitest";
import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { moneyTerms } from "#app/domain/billing/money-words.ts";
import { asCents } from "#app/domain/money.ts";
import { describeErasureBlocker } from "#app/domain/privacy/erasure.ts";
import { PastDueNotice } from "#app/screens/shared/billing/past-due-notice.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

/** The text that a person reads. */
const textOf = async (notice: ReactElement) =>
  (await renderInRouter("/shop/billing", notice)).replace(/<[^>]*>/g, "").replaceAll("&#x27;", "'");

type Overdue = NonNullable<Subscription["overdue"]>;
const since = new Date("2026-11-20T12:00:00Z");

function pastDue(input: Partial<Overdue>): Promise<string> {
  const times = { since, endsAt: new Date("2026-11-27T12:00:00Z"), nextTryAt: null, chargesMethod: true };
  const known = { ...times, planType: "starter", amount: asCents(9_900), reason: null, confirmUrl: null };
  const subscription = { overdue: { ...known, ...input } } as Subscription;
  return textOf(createElement(PastDueNotice, { base: "/publisher", subscription, paymentsEnabled: true }));
}

test("a past-due plan says why, when it is tried again and how long it stays, in separate sentences", async () => {
  const nextTryAt = new Date("2026-11-21T12:00:00Z");
  expect(await pastDue({ reason: "The card was declined.", nextTryAt })).toContain(
    "The card was declined. We'll try again automatically on Nov 21, 2026. Your plan stays active until Nov 27, 2026.",
  );
  expect(await pastDue({ reason: "Your bank disputed a payment.", chargesMethod: false, nextTryAt })).toContain(
    "Your bank disputed a payment. We'll try your earnings again on Nov 21, 2026. Your plan stays active until",
  );
  expect(await pastDue({ confirmUrl: "/confirm" })).toContain("confirm the payment. Your plan stays active until");
});

const walletNotice = (wallet: ComponentProps<typeof WalletNotice>["wallet"]) =>
  textOf(createElement(WalletNotice, { base: "/advertiser", wallet, paymentsEnabled: true }));
const used = { holds: true, lastDay: null, shortfall: asCents(5_000) };

test("a reversed payment says what is owed and why, what is on hold and what to do, in separate sentences", async () => {
  const disputed = { ...used, reversed: asCents(5_000), reversedBy: "dispute", owed: asCents(5_000) } as const;
  expect(await walletNotice(disputed)).toBe(
    "You owe $50.00 because your bank reversed a paymentYour campaigns are on hold. Top up your wallet with more than $50.00 and they resume automatically.",
  );
  const refunded = { ...disputed, holds: false, reversedBy: "refund", owed: asCents(8_000) } as const;
  expect(await walletNotice(refunded)).toBe(
    "You owe $50.00 because a payment was refundedYou owe $80.00 in total. Top up your wallet to pay it. Top-ups cover what you owe first.",
  );
});

test("campaigns on hold resume by a top-up that exceeds what is missing", async () => {
  expect(await walletNotice(used)).toContain(
    "Your funds are used up. Top up your wallet with more than $50.00 and your campaigns resume automatically.",
  );
  expect(await walletNotice({ ...used, shortfall: asCents(0) })).toContain(
    "Your funds are used up. Top up your wallet and your campaigns resume automatically.",
  );
});

test("an advertiser without running campaigns is told what a top-up has to exceed before one starts", async () => {
  const idle = { ...used, hasActiveCampaigns: false };
  expect(await walletNotice(idle)).toContain("Top up your wallet with more than $50.00 before one starts.");
  expect(await walletNotice({ ...idle, shortfall: asCents(0) })).toContain("Top up your wallet before one starts.");
});

test("a suspended account, which has no pages, is told to reply to an email about its campaigns", () => {
  for (const type of ["advertiser", "publisher"] as const) {
    expect(describeErasureBlocker("running_campaigns", type)).toContain("Campaigns page");
    const suspended = describeErasureBlocker("running_campaigns", type, { isSuspended: true });
    expect(suspended).toContain("reply to any of our emails");
    expect(suspended).not.toContain("page");
  }
});

test("a suspended publisher, which has no pages, is told to reply to an email about its earnings and its plan", () => {
  for (const [blocker, page] of [
    ["earnings", "Revenue page"],
    ["plan", "Billing page"],
  ] as const) {
    expect(describeErasureBlocker(blocker, "publisher")).toContain(page);
    const suspended = describeErasureBlocker(blocker, "publisher", { isSuspended: true });
    expect(suspended).toContain("Reply to any of our emails");
    expect(suspended).not.toContain("page");
  }
});

test("a negative balance of a publisher is explained by refunds and corrections", () => {
  expect(moneyTerms.available.definition).toContain("refunds or corrections exceed new earnings");
  expect(describeErasureBlocker("debt", "publisher")).toContain("spend was refunded or corrected");
});
