import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import * as advertiser from "#app/screens/advertiser/dashboard.tsx";
import * as publisher from "#app/screens/publisher/dashboard.tsx";
import { useWorld, visit } from "../publisher/portal.ts";

const loaded = vi.hoisted(() => ({ data: undefined as unknown }));
vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLoaderData: () => loaded.data,
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch: string }) =>
    createElement("a", { href: to, ...rest }),
}));

const world = useWorld();
const day = { impressions: 40_000, clicks: 400, spendMicros: 200_000_000, revenueMicros: 700_000_000 };

beforeAll(async () => {
  const changes = { budget: 90_000, daily_budget: 9_000, end_date: addDays(world().today(), 120) };
  const id = await world().aRunningCampaign({ changes });
  world().passDays(45);
  await world().deliver(id, { ...day, day: addDays(world().today(), -2) });
  await world().deliver(id, { ...day, day: addDays(world().today(), -1), channel: "trade_desk" });
  await world().deliver(id, { ...day, day: addDays(world().today(), -40), impressions: 64_000 });
});

async function open(who: "northwind" | "brightside" | "harbor" | "fern") {
  const portal = who === "northwind" || who === "brightside" ? "advertiser" : "publisher";
  const { loader, default: Screen } = portal === "advertiser" ? advertiser : publisher;
  const { body } = await visit(world(), who, loader, `/${portal}/dashboard`);
  loaded.data = body;
  return renderToStaticMarkup(createElement(Screen));
}

/** The tiles' texts and where they lead. */
function tilesOf(html: string): string[][] {
  return [...html.matchAll(/<a href="([^"]*)"[^>]*class="tile">(.*?)<\/a>/g)].map(([, to = "", inside = ""]) => {
    const words = inside.replace(/<svg.*?<\/svg>/g, "").replace(/<\/div>/g, "|");
    return [
      to,
      ...words
        .replace(/<[^>]*>/g, "")
        .split("|")
        .filter(Boolean),
    ];
  });
}

describe("the dashboards", () => {
  it("have the advertiser's six figures, each against the period before and a way on", async () => {
    const html = await open("northwind");
    expect(tilesOf(html)).toEqual([
      [
        "/advertiser/campaigns?status=active",
        "Active Campaigns",
        "1",
        "Unchanged, 0.0% vs previous period",
        "of 1 campaign",
      ],
      ["/advertiser/analytics?metric=Spend", "Total Spend", "$400.00", "Up 100.0% vs previous period"],
      ["/advertiser/analytics?metric=Impressions", "Impressions", "80K", "Up 25.0% vs previous period"],
      ["/advertiser/analytics?metric=Clicks", "Clicks", "800", "Up 100.0% vs previous period"],
      ["/advertiser/analytics?metric=CTR", "CTR", "1.00%", "Up 60.0% vs previous period"],
      ["/advertiser/analytics?metric=ROAS", "ROAS", "3.5×", "Unchanged, 0.0% vs previous period"],
    ]);
    expect(html).toContain("Spend by day");
    expect(html).not.toContain("First steps");
  });

  it("have the publisher's four, with what it earned by day", async () => {
    const html = await open("harbor");
    expect(tilesOf(html).map(([to, label, value]) => [to, label, value])).toEqual([
      ["/publisher/audiences", "Active Audiences", "6"],
      ["/publisher/analytics?metric=Earnings", "Revenue Earned", "$280.00"],
      ["/publisher/approval", "Pending Approvals", "0"],
      ["/publisher/campaigns?filter=managed", "Managed Campaigns", "0"],
    ]);
    expect(html).toContain("$420.00 in all");
    expect(html).toContain("Earnings by day");
  });

  it.each(["brightside", "fern"] as const)("show %s, for whom nothing ran, first steps and no charts", async (who) => {
    const html = await open(who);
    expect(html).toContain("First steps");
    expect(html).not.toMatch(/<figure|class="spark|tile-trend/);
  });
});
