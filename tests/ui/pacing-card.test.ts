import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import { asCents } from "#app/domain/money.ts";
import { PacingCard } from "#app/screens/shared/campaigns/delivery/pacing-card.tsx";

const day = (text: string) => parseCalendarDate(text) ?? expect.fail();
const pace: CampaignPacing = {
  days: [],
  state: "on_pace",
  plannedSoFar: asCents(20_000),
  spentSoFar: asCents(9_000),
  projectedEnd: asCents(90_000),
  stopped: false,
  reason: null,
  totalBudgetCents: asCents(100_000),
  endDate: day("2026-11-30"),
  whole: false,
};
const textOn = (today: string) =>
  renderToStaticMarkup(createElement(PacingCard, { pace, today: day(today) })).replace(/<[^>]+>/g, " ");

test("a publisher's part of a running campaign is that of past days, as the spend beside it has today's too", () => {
  expect(textOn("2026-11-30")).toContain(
    "$90.00 of the campaign&#x27;s $1,000.00 budget was spent on your audiences by the end of yesterday.",
  );
});

test("a publisher's part of a campaign that is over is the whole of it", () => {
  expect(textOn("2026-12-01")).toContain("$90.00 of the campaign&#x27;s $1,000.00 budget was spent on your audiences.");
});
