import type { MoneyDefinition } from "#app/domain/billing/money-words.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { Definitions } from "#app/ui/definitions.tsx";
import { formatCount, formatRate, formatRatio } from "#app/ui/format.ts";
import { Progress } from "#app/ui/progress.tsx";
import { StatTiles } from "#app/ui/stat-tiles.tsx";

type Figures = Pick<
  CampaignDetail,
  "content" | "spentCents" | "impressions" | "clicks" | "conversions" | "ctr" | "roas" | "revenueCents"
>;

/** What the campaign has delivered so far, across all publishers. */
export function CampaignTiles({
  campaign,
  definitions,
}: {
  campaign: Figures;
  definitions: readonly MoneyDefinition[];
}) {
  const { content, spentCents, impressions, clicks, conversions, ctr, roas, revenueCents } = campaign;
  const budget = content.totalBudgetCents;
  return (
    <div className="grid gap-2">
      <StatTiles
        stats={[
          {
            label: "Spent",
            value: formatCents(spentCents),
            note: (
              <span className="grid gap-1.5">
                {budget === null ? "No budget set" : `of ${formatCentsShort(budget)}`}
                <Progress value={budget ? spentCents / budget : 0} label="Share of budget spent" />
              </span>
            ),
          },
          { label: "Impressions", value: formatCount(impressions), note: "across all publishers" },
          { label: "Clicks", value: formatCount(clicks), note: `${formatRate(ctr, impressions)} CTR` },
          { label: "Conversions", value: formatCount(conversions), note: `${formatCentsShort(revenueCents)} revenue` },
          { label: "ROAS", value: formatRatio(roas), note: "revenue per dollar spent" },
        ]}
      />
      <Definitions of={definitions} />
    </div>
  );
}
