import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { formatCount, formatPercent, formatTimes } from "#app/ui/format.ts";
import { Progress } from "#app/ui/progress.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";

type Figures = Pick<
  CampaignDetail,
  "content" | "spentCents" | "impressions" | "clicks" | "conversions" | "ctr" | "roas" | "revenueCents"
>;

/** What the campaign delivered so far, over all publishers. */
export function CampaignTiles({ campaign }: { campaign: Figures }) {
  const { content, spentCents, impressions, clicks, conversions, ctr, roas, revenueCents } = campaign;
  const budget = content.totalBudgetCents;
  return (
    <StatTiles
      stats={[
        {
          label: "Spent",
          value: formatCents(spentCents),
          note: (
            <span className="grid gap-1.5">
              of {budget === null ? "no budget" : formatCentsShort(budget)}
              <Progress value={budget ? spentCents / budget : 0} label="Spent of the budget" />
            </span>
          ),
        },
        { label: "Impressions", value: formatCount(impressions), note: "over all publishers" },
        { label: "Clicks", value: formatCount(clicks), note: `${formatPercent(ctr)} CTR` },
        { label: "Conversions", value: formatCount(conversions), note: `${formatCentsShort(revenueCents)} revenue` },
        { label: "ROAS", value: formatTimes(roas), note: "revenue per dollar spent" },
      ]}
    />
  );
}
