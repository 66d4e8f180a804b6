import { formatFlight } from "#app/domain/calendar-date.ts";
import { displayCampaignName, notSelected, objectiveLabels } from "#app/domain/campaigns/campaign.ts";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { describeStatusReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";

type Row = Pick<
  ListedCampaign,
  "id" | "name" | "status" | "statusReason" | "objective" | "totalBudgetCents" | "startDate" | "endDate"
>;

/** A short list of campaigns. A draft links to its wizard, any other campaign to its page. */
export function CampaignSummaryTable({ campaigns, base }: { campaigns: readonly Row[]; base: PortalBase }) {
  return (
    <DataTable
      caption="Campaigns"
      rows={campaigns}
      columns={[
        {
          header: "Campaign",
          place: "title",
          cell: (row) => (
            <RowTitle
              name={displayCampaignName(row.name)}
              to={portalHref(base, `/campaigns/${row.id}${row.status === "draft" ? "/edit" : ""}`)}
              detail={[
                row.objective ? objectiveLabels[row.objective] : notSelected,
                row.status === "draft" ? "" : describeStatusReason(row.statusReason, "advertiser"),
              ]
                .filter(Boolean)
                .join(" · ")}
              narrowDetail={row.startDate || row.endDate ? formatFlight(row.startDate, row.endDate) : undefined}
            />
          ),
        },
        {
          header: "Budget",
          place: "amount",
          align: "right",
          cell: ({ totalBudgetCents }) => (totalBudgetCents === null ? "Not set" : formatCentsShort(totalBudgetCents)),
        },
        {
          header: "Dates",
          width: 200,
          priority: 1,
          cell: (row) => formatFlight(row.startDate, row.endDate),
        },
      ]}
    />
  );
}
