import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { asCents } from "#app/domain/money.ts";
import { campaignColumns, type ListedCampaignView } from "#app/screens/publisher/campaigns/campaign-columns.tsx";

const columns = campaignColumns("/publisher", { sort: "newest", sortHref: () => "" });
const cellOf = (header: string) => columns.find((column) => column.header === header)?.cell ?? expect.fail(header);

test("a campaign's budget is the total, what is spent and, as text too, the amount per day", () => {
  const amounts = { totalBudgetCents: asCents(1_200_000), spentCents: asCents(345_050) };
  const shown = (dailyBudgetCents: ListedCampaignView["dailyBudgetCents"]) => {
    const row = { ...amounts, dailyBudgetCents } as ListedCampaignView;
    return renderToStaticMarkup(createElement("div", null, cellOf("Budget")(row))).replace(/<[^>]*>/g, " ");
  };
  expect(shown(asCents(50_000)).replace(/\s+/g, " ")).toContain("$3,450.50 of $12,000 , $500 per day");
  expect(shown(null)).not.toContain("per day");
});
