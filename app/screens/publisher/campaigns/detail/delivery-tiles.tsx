import type { MoneyDefinition } from "#app/domain/billing/money-words.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { Definitions } from "#app/ui/definitions.tsx";
import { formatCount, formatPercent, formatRate, pluralize } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";

/** The delivery and earnings of the publisher's line item. */
export function DeliveryTiles({
  campaign,
  definitions,
}: {
  campaign: PublisherCampaign;
  definitions: readonly MoneyDefinition[];
}) {
  const { spentCents, totalBudgetCents, commissionEarnedCents, commissionRate } = campaign;
  return (
    <div className="grid gap-2">
      <StatTiles
        stats={[
          {
            label: "Commission earned",
            value: formatCents(commissionEarnedCents),
            note: `${commissionRate}% of spend`,
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
            note: `${formatRate(campaign.ctr, campaign.impressions)} CTR`,
          },
          { label: "Conversions", value: formatCount(campaign.conversions), note: conversionNote(campaign) },
        ]}
      />
      <Definitions of={definitions} />
    </div>
  );
}

function conversionNote({ clicks, conversions }: PublisherCampaign): string | undefined {
  return clicks === 0 ? undefined : `${formatPercent((conversions / clicks) * 100)} of ${pluralize(clicks, "click")}`;
}
