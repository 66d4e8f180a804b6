import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import type { ListedCampaignView } from "#app/screens/publisher/campaigns/campaign-columns.tsx";
import { formatRate } from "#app/ui/format.ts";

/**
 * Returns the fields that the list renders: each is sent twice, in the HTML and in the hydration data. The rate is sent
 * as it is shown, because a quotient has sixteen digits, which do not compress.
 */
export function toListedCampaign(campaign: PublisherCampaign): ListedCampaignView {
  const { id, name, advertiserName, status, statusReason, approvalStatus, approvedVersion, archivedAt } = campaign;
  const { managedByRetailer, pausedByPublisher, pausedByAdvertiser, startDate, endDate } = campaign;
  const { totalBudgetCents, dailyBudgetCents, spentCents, impressions, clicks, conversions } = campaign;
  const { commissionEarnedCents, commissionRate } = campaign;
  return {
    id,
    name,
    advertiserName,
    status,
    statusReason,
    approvalStatus,
    approvedVersion,
    archivedAt,
    managedByRetailer,
    pausedByPublisher,
    pausedByAdvertiser,
    startDate,
    endDate,
    totalBudgetCents,
    dailyBudgetCents,
    spentCents,
    impressions,
    clicks,
    conversions,
    ctr: formatRate(campaign.ctr, impressions),
    commissionEarnedCents,
    commissionRate,
  };
}
