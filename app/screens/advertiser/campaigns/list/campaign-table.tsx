import { formatFlight } from "#app/domain/calendar-date.ts";
import {
  type CampaignStatus,
  campaignStatusTones,
  displayCampaignName,
  notSelected,
  objectiveLabels,
  statusLabels,
} from "#app/domain/campaigns/campaign.ts";
import type { CampaignSort } from "#app/domain/campaigns/list-campaigns.server.ts";
import { describeRejection, rejectionLabels } from "#app/domain/campaigns/status/campaign-rejection.ts";
import type { StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import { describeUnexpectedReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { BulkBar, bulkForm } from "#app/screens/shared/campaigns/bulk/bulk-bar.tsx";
import { advertiserBulkIntents, archivedBulkIntents } from "#app/screens/shared/campaigns/bulk/bulk-intents.ts";
import {
  ResolutionLink,
  StatusBadge,
  StatusReasonText,
} from "#app/screens/shared/campaigns/status/campaign-status.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { useFormFetcher } from "#app/ui/link.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { Channels, Flight, Performance, Spending } from "./campaign-cells.tsx";
import { type CampaignSearch, campaignQuery } from "./campaign-search.ts";
import type { ListedCampaignView as Row } from "./load-campaigns.server.ts";
import { CampaignRowActions, DuplicateForm } from "./row-actions.tsx";

/** The advertiser's campaigns with their metrics and actions. */
export function CampaignTable({
  base,
  isArchive,
  columns,
  campaigns,
  idempotencyKey,
}: {
  base: PortalBase;
  /** Whether the campaigns are archived, which has bulk actions of its own. */
  isArchive: boolean;
  columns: readonly Column<Row>[];
  campaigns: readonly Row[];
  idempotencyKey: string;
}) {
  return (
    <DataTable
      caption="Campaigns"
      columns={columns}
      rows={campaigns}
      rowName={({ name }) => displayCampaignName(name)}
      select={{
        ...bulkForm,
        bar: (
          <>
            <BulkBar
              intents={isArchive ? archivedBulkIntents : advertiserBulkIntents}
              exportHref={portalHref(base, "/campaigns/export.csv")}
              idempotencyKey={idempotencyKey}
            />
            <DuplicateForm idempotencyKey={idempotencyKey} />
          </>
        ),
      }}
      actionsWidth={148}
      actions={(campaign) => <CampaignRowActions base={base} campaign={campaign} />}
    />
  );
}

/** The columns of the advertiser's campaigns, usual and optional ones. */
export function campaignColumns(base: PortalBase, search: CampaignSearch): Column<Row>[] {
  const sort = (by: CampaignSort, direction: "ascending" | "descending") => ({
    to: campaignQuery(search, { sort: search.sort === by ? "newest" : by }),
    current: search.sort === by ? direction : undefined,
  });
  return [
    {
      header: "Campaign",
      sort: sort("name", "ascending"),
      place: "title",
      width: 190,
      cell: (row) => {
        const dates = row.startDate || row.endDate ? formatFlight(row.startDate, row.endDate) : undefined;
        return (
          <RowTitle
            name={displayCampaignName(row.name)}
            to={portalHref(base, `/campaigns/${row.id}`)}
            detail={row.objective ? objectiveLabels[row.objective] : notSelected}
            narrowDetail={dates}
            columnDetail={dates}
            narrowInstead={describeUnexpectedReason(row.statusReason, "advertiser")}
          />
        );
      },
    },
    {
      header: "Status",
      name: "status",
      place: "status",
      // The reason and its link in one line; all up to ROAS fit at 1280 pixels beside the sidebar and a scroll bar.
      width: 236,
      cell: (row) => <Status base={base} campaign={row} />,
    },
    {
      header: "Channels",
      name: "channels",
      priority: 4,
      width: 156,
      cell: (row) => <Channels channels={row.channels} />,
    },
    {
      header: "Budget",
      name: "budget",
      place: "amount",
      sort: sort("budget", "descending"),
      cell: (row) => <Spending campaign={row} />,
    },
    {
      header: "Impressions",
      name: "impressions",
      sort: sort("impressions", "descending"),
      align: "right",
      priority: 1,
      width: 124,
      cell: (row) => <Performance campaign={row} />,
    },
    {
      header: "Clicks",
      name: "clicks",
      optional: true,
      sort: sort("clicks", "descending"),
      align: "right",
      priority: 5,
      width: 90,
      cell: ({ clicks }) => formatCount(clicks),
    },
    {
      header: "CTR",
      name: "ctr",
      optional: true,
      sort: sort("ctr", "descending"),
      align: "right",
      priority: 6,
      width: 76,
      cell: ({ ctr }) => ctr,
    },
    {
      header: "Conversions",
      name: "conversions",
      optional: true,
      sort: sort("conversions", "descending"),
      align: "right",
      priority: 7,
      width: 108,
      cell: ({ conversions }) => formatCount(conversions),
    },
    {
      header: "ROAS",
      name: "roas",
      sort: sort("roas", "descending"),
      align: "right",
      priority: 2,
      width: 66,
      cell: (row) => <strong className="text-ink">{row.roas}</strong>,
    },
    {
      header: "Dates",
      name: "dates",
      sort: sort("start", "descending"),
      priority: 3,
      inTitleWhenLeftOut: true,
      cell: (row) => <Flight campaign={row} />,
    },
  ];
}

/**
 * A rejected part or change is in place of a reason that says less; otherwise a badge, as are changes that were not
 * sent, so that no row has more than two lines.
 */
function Status({ base, campaign }: { base: PortalBase; campaign: Row }) {
  const status = useOptimisticStatus(campaign);
  const rejection = campaign.rejection?.extent === "all" ? null : campaign.rejection;
  const isReplaced = rejection !== null && replacedReasons.has(campaign.statusReason.code);
  if (status === campaign.status && !isReplaced) {
    return (
      <>
        <span className="badge-row">
          <StatusBadge {...campaign} />
          {rejection ? (
            <Badge tone="bad" dot={false}>
              {rejectionLabels[rejection.extent]}
            </Badge>
          ) : campaign.hasUnsentChanges ? (
            <Badge dot={false}>Unsent changes</Badge>
          ) : null}
        </span>
        <StatusReasonText base={base} side="advertiser" campaign={campaign} />
      </>
    );
  }
  return (
    <>
      {status !== campaign.status ? (
        <Badge tone={campaignStatusTones[status]}>{statusLabels[status]}</Badge>
      ) : (
        <StatusBadge {...campaign} />
      )}
      {rejection ? (
        <>
          <small className="status-reason text-bad">
            <span className="status-reason-text" title={describeRejection(rejection)}>
              {describeRejection(rejection)}
            </span>
            <ResolutionLink base={base} id={campaign.id} resolution="edit_and_resend" />
          </small>
          <span className="only-narrow status-rejection">
            <Badge tone="bad">{rejectionLabels[rejection.extent]}</Badge>
          </span>
        </>
      ) : campaign.hasUnsentChanges ? (
        <small>Unsent changes</small>
      ) : null}
    </>
  );
}

const replacedReasons: ReadonlySet<StatusReason["code"]> = new Set(["delivering", "limited", "pending_review"]);

/** Returns the status, or while a pause or resume is pending, the status that it will lead to. */
function useOptimisticStatus({ id, status }: Row): CampaignStatus {
  const fetcher = useFormFetcher({ key: `campaign-${id}` });
  const intent = fetcher.formData?.get("intent");
  return intent === "pause" ? "paused" : intent === "resume" ? "active" : status;
}
