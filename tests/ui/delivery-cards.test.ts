import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { type CreativeId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { DeliveryCards } from "#app/screens/shared/campaigns/delivery/delivery-cards.tsx";

const day = parseCalendarDate("2026-11-20") ?? expect.fail();
const totals = { impressions: 4_321, clicks: 43, conversions: 17, spendCents: asCents(1_234), ctr: 0.995 };
const id = newId<CreativeId>();
const creative = {
  id,
  name: "pack.png",
  path: "/media/pack.png",
  previewPath: null,
  type: "image/png",
  width: 960,
  height: 502,
  bytes: 46_000,
  durationMs: null,
} as const;
const delivery: CampaignDelivery = {
  days: [{ day, ...totals }],
  channels: [{ channel: "dv360", ...totals }],
  audiences: [],
  creatives: [{ id, creative, ...totals }],
  cap: null,
};

test("a day and a channel without impressions have no CTR", () => {
  const late = { impressions: 0, clicks: 0, conversions: 2, spendCents: asCents(500), ctr: 0 };
  const channels: CampaignDelivery["channels"] = [{ channel: "dv360", ...late }];
  const shown = { ...delivery, days: [{ day, ...late }], channels, creatives: [] };
  const html = renderToStaticMarkup(createElement(DeliveryCards, { delivery: shown, spentCents: 500, today: day }));
  expect(html).not.toContain(">0.00%<");
});

test("a creative's delivery shows its image, and the table every metric", () => {
  const html = renderToStaticMarkup(createElement(DeliveryCards, { delivery, spentCents: 1_234, today: day }));
  const [, byCreative = ""] = html.split("By creative");
  expect(byCreative).toContain('src="/media/pack.png"');
  for (const head of ["Creative", "Spend", "Share", "Impressions", "Clicks", "CTR", "Conversions"]) {
    expect(byCreative).toMatch(new RegExp(`<th[^>]*>${head}</th>`));
  }
  expect(byCreative).toContain("4,321");
});
