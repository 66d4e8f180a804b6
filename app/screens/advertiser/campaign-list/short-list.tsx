import { Link } from "@remix-run/react";
import { formatFlight } from "#app/domain/calendar-date.ts";
import { objectiveLabels } from "#app/domain/campaigns/campaign.ts";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { notSelected } from "#app/screens/shared/campaign-words.ts";
import { DataTable } from "#app/ui/table.tsx";

type Row = Pick<ListedCampaign, "id" | "name" | "status" | "objective" | "totalBudgetCents" | "startDate" | "endDate">;

/** A few campaigns with what one knows them by. A draft leads to its wizard, the others to their page. */
export function ShortList({ campaigns, base }: { campaigns: readonly Row[]; base: PortalBase }) {
  return (
    <DataTable
      caption="Campaigns"
      rows={campaigns}
      columns={[
        {
          head: "Campaign",
          wide: true,
          cell: (row) => (
            <>
              <Link
                className="row-link"
                to={portalHref(base, `/campaigns/${row.id}${row.status === "draft" ? "/edit" : ""}`)}
                prefetch="intent"
              >
                {wordsOfName(row.name)}
              </Link>
              <small>{row.objective ? objectiveLabels[row.objective] : notSelected}</small>
            </>
          ),
        },
        {
          head: "Budget",
          right: true,
          cell: ({ totalBudgetCents }) => (totalBudgetCents === null ? "Not set" : formatCentsShort(totalBudgetCents)),
        },
        {
          head: "Dates",
          cell: (row) => <span className="whitespace-nowrap">{formatFlight(row.startDate, row.endDate)}</span>,
        },
      ]}
    />
  );
}
