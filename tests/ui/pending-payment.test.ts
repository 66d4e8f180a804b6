import { type ComponentProps, createElement } from "react";
import { expect, test } from "vitest";
import { asCents } from "#app/domain/money.ts";
import { PendingPayment } from "#app/screens/shared/billing/pending-payment.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

/** The texts and addresses of the page's links. */
async function linksOf(input: Partial<ComponentProps<typeof PendingPayment>>): Promise<string[]> {
  const usual = { needsConfirmation: false, amount: asCents(5_000), confirmUrl: null, next: undefined };
  const page = createElement(PendingPayment, { ...usual, billing: "/advertiser/billing", ...input });
  const html = await renderInRouter("/shop/top-ups/1?next=%2Fadvertiser%2Fcampaigns", page);
  return [...html.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => `${text}: ${href}`);
}

test("a payment that is processing has its status checked on its own page, and leads back to billing", async () => {
  expect(await linksOf({})).toEqual([
    "Back to billing: /advertiser/billing",
    "Check status: /shop/top-ups/1?next=%2Fadvertiser%2Fcampaigns",
  ]);
});

test("a payment that began on another page leads back there, and says so", async () => {
  const needed = { needsConfirmation: true, confirmUrl: "/confirm", next: "/advertiser/campaigns" };
  expect(await linksOf(needed)).toEqual(["Back: /advertiser/campaigns", "Confirm payment: /confirm"]);
});
