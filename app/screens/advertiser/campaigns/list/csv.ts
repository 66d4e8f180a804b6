import type { LoaderFunctionArgs } from "@remix-run/node";
import { channelLabels, displayCampaignName, objectiveLabels, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { type ListedCampaign, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { exportSelection } from "#app/screens/shared/campaigns/bulk/export-selection.server.ts";

/** Exports the selected campaigns. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  return exportSelection(ctx, {
    request,
    back: portalHref(base, "/campaigns"),
    columns: ["Campaign", "Status", "Objective", "Channels", "Budget", "Spent", "Start", "End", ...figures],
    rowsOf: async (ids) => (await listCampaigns(ctx, { ids, limit: pageLimits.max })).rows.map(toRow),
  });
}

const figures = ["Impressions", "Clicks", "Conversions", "ROAS"];

function toRow(row: ListedCampaign) {
  return [
    displayCampaignName(row.name),
    statusLabels[row.status],
    row.objective && objectiveLabels[row.objective],
    row.channels.map((channel) => channelLabels[channel]).join(", "),
    row.totalBudgetCents === null ? null : row.totalBudgetCents / 100,
    row.spentCents / 100,
    row.startDate,
    row.endDate,
    row.impressions,
    row.clicks,
    row.conversions,
    row.roas === null ? null : Math.round(row.roas * 100) / 100,
  ];
}
