import { createElement } from "react";
import { expect, test } from "vitest";
import Billing from "#app/screens/shared/billing/overview/route.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

test.each([
  ["advertiser", { "": ["Visa •••• 4242 can't be the default"] }, "can&#x27;t be the default"],
  ["publisher", { pay_from: ["Choose how to pay"] }, "Choose how to pay"],
] as const)("the billing page of the %s shows why a form of it was rejected", async (portal, error, text) => {
  const tab = { tab: "methods", search: {}, methods: [] };
  const loaded = { base: `/${portal}`, portal, views: [], loaded: tab, subscription: null, paymentsEnabled: true };
  const page = (responded?: object) =>
    renderInRouter("/shop/billing?tab=methods", createElement(Billing), { loaded, responded });
  const html = await page({ status: "error", initialValue: {}, error });
  expect(html).toMatch(new RegExp(`role="alert".*${text}`));
  expect(html).toContain("No payment methods");
  expect(await page()).not.toContain('role="alert"');
});
