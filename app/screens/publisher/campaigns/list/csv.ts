import type { LoaderFunctionArgs } from "@remix-run/node";
import { statusLabels } from "#app/domain/campaigns/campaign.ts";
import { listSelectedLineItems } from "#app/domain/campaigns/line-items/list-selected-line-items.server.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { exportSelection } from "#app/screens/shared/campaigns/bulk/export-selection.server.ts";

/** Exports the selected campaigns. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return exportSelection(ctx, {
    request,
    back: portalHref(base, "/campaigns"),
    columns: ["Campaign", "Advertiser", "Status", "Decision", "Budget", "Spent", "Start", "End", ...figures],
    rowsOf: async (ids) => (await listSelectedLineItems(ctx, { ids })).map(toRow),
  });
}

const figures = ["Impressions", "Clicks", "Conversions", "Commission", "Commission rate (%)"];

function toRow(row: PublisherCampaign) {
  return [
    row.name,
    row.advertiserName,
    statusLabels[row.status],
    statusLabels[row.approvalStatus],
    row.totalBudgetCents === null ? null : row.totalBudgetCents / 100,
    row.spentCents / 100,
    row.startDate,
    row.endDate,
    row.impressions,
    row.clicks,
    row.conversions,
    row.commissionEarnedCents / 100,
    row.commissionRate,
  ];
}
