import { createElement } from "react";
import { expect, test } from "vitest";
import { asCents } from "#app/domain/money.ts";
import PaySubscription from "#app/screens/publisher/subscription/pay/route.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const visa = { brand: "Visa", lastFour: "4242", expired: false };

function render(input: {
  available: number;
  method: typeof visa | null;
  cancelAtPeriodEnd?: boolean;
}): Promise<string> {
  const funding = { payFrom: "earnings", available: asCents(input.available) };
  const { method, cancelAtPeriodEnd = false } = input;
  const plan = { planType: "starter", amount: asCents(9_900), cancelAtPeriodEnd, method, funding };
  const loaded = { base: "/publisher", paymentsEnabled: true, key: "a key", ...plan };
  return renderInRouter("/shop/pay", createElement(PaySubscription), { loaded });
}

test("a past-due plan that earnings cover is paid from them, as its page says, with a card and without", async () => {
  for (const method of [visa, null]) {
    const html = await render({ available: 50_000, method });
    expect(html).toContain("Your earnings ($500.00 available)");
    expect(html).not.toContain("4242");
    expect(html).toContain("Pay now</button>");
  }
});

test("earnings that do not cover it leave the payment method, or ask for one", async () => {
  expect(await render({ available: 9_899, method: visa })).toMatch(/4242.*\$98\.99 available.*Pay now<\/button>/);
  const html = await render({ available: 9_899, method: null });
  expect(html).toContain("No payment methods");
  expect(html).not.toContain("Pay now</button>");
});

test("a canceled plan stays canceled when it is paid, as its page says", async () => {
  expect(await render({ available: 0, method: visa, cancelAtPeriodEnd: true })).toContain("It stays canceled and ends");
  expect(await render({ available: 0, method: visa })).not.toContain("canceled");
});
