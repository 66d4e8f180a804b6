import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { formatCount, formatNumberOf, formatPercent } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";

/** What the publisher's part of a campaign delivered, and earned. */
export function DeliveryTiles({ campaign }: { campaign: PublisherCampaign }) {
  const { spentCents, totalBudgetCents, commissionEarnedCents, commissionRate } = campaign;
  return (
    <StatTiles
      stats={[
        {
          label: "Commission earned",
          value: formatCents(commissionEarnedCents),
          note: `${commissionRate}% of the spend`,
        },
        {
          label: "Spent",
          value: formatCents(spentCents),
          note: totalBudgetCents === null ? undefined : `of ${formatCentsShort(totalBudgetCents)} budget`,
        },
        { label: "Impressions", value: formatCount(campaign.impressions) },
        {
          label: "Clicks",
          value: formatCount(campaign.clicks),
          note: `${formatPercent(campaign.ctr)} of impressions`,
        },
        { label: "Conversions", value: formatCount(campaign.conversions), note: conversionNote(campaign) },
      ]}
    />
  );
}

function conversionNote({ clicks, conversions }: PublisherCampaign): string | undefined {
  return clicks === 0
    ? undefined
    : `${formatPercent((conversions / clicks) * 100)} of ${formatNumberOf(clicks, "click")}`;
}
