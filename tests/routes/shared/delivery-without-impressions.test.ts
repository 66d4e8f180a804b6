import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import * as advertiser from "#app/screens/advertiser/dashboard/route.tsx";
import * as publisher from "#app/screens/publisher/dashboard/route.tsx";
import * as analytics from "#app/screens/shared/analytics/route.tsx";
import { useWorld, visit } from "../publisher/portal.ts";

const loaded = vi.hoisted(() => ({ data: undefined as unknown }));
vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLoaderData: () => loaded.data,
  useLocation: () => ({ pathname: "/here", search: "" }),
  useNavigation: () => ({ state: "idle" }),
  useFormAction: () => "/here",
  useSubmit: () => () => undefined,
  Form: ({ preventScrollReset: _, ...rest }: ComponentProps<"form"> & Record<string, unknown>) =>
    createElement("form", rest),
  Link: ({ to, prefetch: _, preventScrollReset: __, ...rest }: ComponentProps<"a"> & Record<string, unknown>) =>
    createElement("a", { href: String(to), ...rest }),
}));

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
  loaded.data = body;
  return renderToStaticMarkup(createElement(screen.default));
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
