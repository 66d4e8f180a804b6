import { beforeAll, describe, expect, it } from "vitest";
import type { CampaignId } from "#app/domain/ids.ts";
import * as advertiserCampaign from "#app/screens/advertiser/campaigns/detail/route.tsx";
import * as advertiserDashboard from "#app/screens/advertiser/dashboard/route.tsx";
import * as audience from "#app/screens/publisher/audiences/detail/route.tsx";
import * as publisherCampaign from "#app/screens/publisher/campaigns/detail/route.tsx";
import * as publisherDashboard from "#app/screens/publisher/dashboard/route.tsx";
import * as analytics from "#app/screens/shared/analytics/route.tsx";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
let id: CampaignId;

beforeAll(async () => {
  const audiences = ["hikers", "coffeeDrinkers"] as const;
  id = await world().aRunningCampaign({ approvedBy: ["harbor", "fern"], audiences });
  world().advanceDays(2);
  await world().deliver(id, { impressions: 7_000, clicks: 70, spendMicros: 12_345_678, revenueMicros: 98_765_432 });
  await world().deliver(id, { audienceId: world().audience("coffeeDrinkers"), impressions: 3_000 });
});

describe("the pages that show delivery", () => {
  it("show a campaign's delivery to each party: all of it to its advertiser, its share to a publisher", async () => {
    const shown = async (who: "northwind" | "harbor" | "fern") => {
      const portal = who === "northwind" ? "advertiser" : "publisher";
      const { loader } = portal === "advertiser" ? advertiserCampaign : publisherCampaign;
      const { body } = await visit(world(), who, loader, `/${portal}/campaigns/${id}`, { params: { id } });
      const { delivery, campaign } = body as Awaited<ReturnType<typeof advertiserCampaign.loader>>;
      const cents = (parts: readonly { spendCents: number }[]) => parts.reduce((sum, part) => sum + part.spendCents, 0);
      expect(cents(delivery.days)).toBe(campaign.spentCents);
      expect(cents(delivery.channels)).toBe(campaign.spentCents);
      expect(cents(delivery.audiences)).toBe(campaign.spentCents);
      return delivery.audiences.map(({ impressions }) => impressions);
    };
    expect(await shown("northwind")).toEqual([7_000, 3_000]);
    expect(await shown("harbor")).toEqual([7_000]);
    expect(await shown("fern")).toEqual([3_000]);
  });

  const analyticsOf = (portal: string) => [
    `/${portal}/analytics`,
    `/${portal}/analytics?group=day`,
    `/${portal}/analytics?group=campaign&split=channel`,
  ];

  it("hide a campaign's revenue from publishers, and publishers' earnings from advertisers", async () => {
    const hikers = world().audience("hikers");
    const toPublisher = [
      await visit(world(), "harbor", publisherDashboard.loader, "/publisher/dashboard"),
      await visit(world(), "harbor", publisherCampaign.loader, `/publisher/campaigns/${id}`, { params: { id } }),
      await visit(world(), "harbor", audience.loader, `/publisher/audiences/${hikers}`, { params: { id: hikers } }),
      ...(await Promise.all(analyticsOf("publisher").map((path) => visit(world(), "harbor", analytics.loader, path)))),
    ];
    for (const { status, body } of toPublisher) {
      expect(status).toBe(200);
      expect(namesIn(body).filter((name) => /revenue|roas/i.test(name))).toEqual([]);
    }
    const toAdvertiser = [
      await visit(world(), "northwind", advertiserDashboard.loader, "/advertiser/dashboard"),
      await visit(world(), "northwind", advertiserCampaign.loader, `/advertiser/campaigns/${id}`, { params: { id } }),
      ...(await Promise.all(
        analyticsOf("advertiser").map((path) => visit(world(), "northwind", analytics.loader, path)),
      )),
    ];
    for (const { status, body } of toAdvertiser) {
      expect(status).toBe(200);
      expect(namesIn(body)).toContain("spendCents");
      expect(namesIn(body).filter((name) => /earned|commission/i.test(name))).toEqual([]);
    }
  });
});

/** Returns the names of all fields at any depth. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...namesIn(inside)]);
}
