import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { asCents } from "#app/domain/money.ts";
import { PendingPayment } from "#app/screens/shared/billing/pending-payment.tsx";

vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLocation: () => ({ pathname: "/advertiser/billing/top-ups/1", search: "?next=%2Fadvertiser%2Fcampaigns" }),
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch?: string }) =>
    createElement("a", { href: to, ...rest }),
}));

/** The texts and addresses of the page's links. */
function linksOf(input: Partial<ComponentProps<typeof PendingPayment>>): string[] {
  const usual = { needsConfirmation: false, amount: asCents(5_000), confirmUrl: null, next: undefined };
  const html = renderToStaticMarkup(
    createElement(PendingPayment, { ...usual, billing: "/advertiser/billing", ...input }),
  );
  return [...html.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => `${text}: ${href}`);
}

test("a payment that is processing has its status checked on its own page, and leads back to billing", () => {
  expect(linksOf({})).toEqual([
    "Back to billing: /advertiser/billing",
    "Check status: /advertiser/billing/top-ups/1?next=%2Fadvertiser%2Fcampaigns",
  ]);
});

test("a payment that began on another page leads back there, and says so", () => {
  const needed = { needsConfirmation: true, confirmUrl: "/confirm", next: "/advertiser/campaigns" };
  expect(linksOf(needed)).toEqual(["Back: /advertiser/campaigns", "Confirm payment: /confirm"]);
});
