import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import * as advertiser from "#app/screens/advertiser/dashboard/route.tsx";
import * as publisher from "#app/screens/publisher/dashboard/route.tsx";
import * as analytics from "#app/screens/shared/analytics/route.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

/** A source reports late conversions and their cost, after another has reported nothing. */
beforeAll(async () => {
  const id = await world().aRunningCampaign({ changes: { start_date: world().today() } });
  const late = { impressions: 0, clicks: 0, conversions: 2, spendMicros: 5_000_000, revenueMicros: 90_000_000 };
  await world().deliver(id, { ...late, source: "attribution" });
});

async function htmlOf(who: "northwind" | "harbor", screen: typeof advertiser | typeof publisher | typeof analytics) {
  const portal = who === "harbor" ? "publisher" : "advertiser";
  const path = screen === analytics ? `/${portal}/analytics` : `/${portal}/dashboard`;
  const { status, body } = await visit(world(), who, screen.loader, path);
  expect(status).toBe(200);
  return renderInRouter("/shop/here", createElement(screen.default), { loaded: body });
}

test.each([
  ["advertiser", "northwind", "Spend", "$5.00", advertiser],
  ["publisher", "harbor", "Earnings", "$3.50", publisher],
] as const)("an %s sees amounts that are reported without impressions", async (_, who, metric, amount, dashboard) => {
  const figures = await htmlOf(who, analytics);
  expect(figures).not.toContain("No results");
  expect(figures).toContain(`${metric} by day`);
  expect(figures).toMatch(new RegExp(`Total.*${amount.replace("$", "\\$")}`));
  const home = await htmlOf(who, dashboard);
  expect(home).toContain(`${metric} by day`);
  expect(home).toContain(amount);
});
