import { createElement } from "react";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import * as advertiser from "#app/screens/advertiser/dashboard/route.tsx";
import * as publisher from "#app/screens/publisher/dashboard/route.tsx";
import { insertCreative } from "#tests/support/creatives.ts";
import { renderInRouter } from "#tests/support/render-in-router.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const day = { impressions: 40_000, clicks: 400, spendMicros: 200_000_000, revenueMicros: 700_000_000 };

beforeAll(async () => {
  await insertCreative(world().db, world().northwind.actor.accountId);
  const changes = { budget: 90_000, daily_budget: 9_000, end_date: addDays(world().today(), 120) };
  const id = await world().aRunningCampaign({ changes });
  world().advanceDays(45);
  await world().deliver(id, { ...day, day: addDays(world().today(), -2) });
  await world().deliver(id, { ...day, day: addDays(world().today(), -1), channel: "trade_desk" });
  await world().deliver(id, { ...day, day: addDays(world().today(), -40), impressions: 64_000 });
});

async function open(who: "northwind" | "brightside" | "harbor" | "fern") {
  const portal = who === "northwind" || who === "brightside" ? "advertiser" : "publisher";
  const { loader, default: Screen } = portal === "advertiser" ? advertiser : publisher;
  const { body } = await visit(world(), who, loader, `/${portal}/dashboard`);
  return renderInRouter("/shop/dashboard", createElement(Screen), { loaded: body });
}

/** Returns the tiles' texts and link targets. */
function tilesOf(html: string): string[][] {
  return [...html.matchAll(/<a class="tile"[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, to = "", inside = ""]) => {
    const text = inside.replace(/<svg.*?<\/svg>/g, "").replace(/<\/div>/g, "|");
    return [
      to,
      ...text
        .replace(/<[^>]*>/g, "")
        .split("|")
        .filter(Boolean),
    ];
  });
}

describe("the dashboards", () => {
  it("have the advertiser's six metrics, each compared with the previous period and with a link", async () => {
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
    expect(html).not.toContain("Get started");
  });

  it("have the publisher's four, with its earnings by day", async () => {
    const html = await open("harbor");
    expect(tilesOf(html).map(([to, label, value]) => [to, label, value])).toEqual([
      ["/publisher/audiences", "Active Audiences", "6"],
      ["/publisher/analytics?metric=Earnings", "Revenue Earned", "$280.00"],
      ["/publisher/approval", "Pending Approvals", "0"],
      ["/publisher/campaigns?filter=managed", "Managed Campaigns", "0"],
    ]);
    expect(html).toContain("$420.00 all time");
    expect(html).toContain("Earnings by day");
  });

  it.each(["brightside", "fern"] as const)(
    "show %s, without any delivery, the first steps and no charts",
    async (who) => {
      const html = await open(who);
      expect(html).toContain("Get started");
      expect(html).not.toMatch(/<figure|class="spark|tile-trend/);
    },
  );
});
