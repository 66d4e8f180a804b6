import { type ComponentProps, createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { asCents } from "#app/domain/money.ts";
import { PastDueNotice } from "#app/screens/shared/billing/past-due-notice.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";

vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLocation: () => ({ pathname: "/advertiser/billing", search: "" }),
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch?: string }) =>
    createElement("a", { href: to, ...rest }),
}));

/** The text that a person reads. */
const textOf = (notice: ReactElement) =>
  renderToStaticMarkup(notice)
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'");

type Overdue = NonNullable<Subscription["overdue"]>;
const since = new Date("2026-11-20T12:00:00Z");

function pastDue(input: Partial<Overdue>): string {
  const times = { since, endsAt: new Date("2026-11-27T12:00:00Z"), nextTryAt: null };
  const known = { ...times, planType: "starter", amount: asCents(9_900), reason: null, confirmUrl: null };
  const subscription = { overdue: { ...known, ...input } } as Subscription;
  return textOf(createElement(PastDueNotice, { base: "/publisher", subscription, paymentsEnabled: true }));
}

test("a past-due plan says why, when it is tried again and how long it stays, in separate sentences", () => {
  const nextTryAt = new Date("2026-11-21T12:00:00Z");
  expect(pastDue({ reason: "The card was declined.", nextTryAt })).toContain(
    "The card was declined. We'll try again automatically on Nov 21, 2026. Your plan stays active until Nov 27, 2026.",
  );
  expect(pastDue({ confirmUrl: "/confirm" })).toContain("confirm the payment. Your plan stays active until");
});

test("a reversed payment says what is owed, what is on hold and what to do, in separate sentences", () => {
  const wallet = { holds: true, lastDay: null, reversed: asCents(5_000), owed: asCents(5_000) };
  const text = textOf(createElement(WalletNotice, { base: "/advertiser", wallet, paymentsEnabled: true }));
  expect(text).toContain("$50.00 of your payments. Your campaigns are on hold until it is paid. Top up your wallet");
});
