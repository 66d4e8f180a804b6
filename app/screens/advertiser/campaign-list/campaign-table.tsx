import { Link, useFetcher } from "@remix-run/react";
import { formatFlight } from "#app/domain/calendar-date.ts";
import {
  type CampaignStatus,
  campaignStatusTones,
  channelLabels,
  objectiveLabels,
  statusLabels,
} from "#app/domain/campaigns/campaign.ts";
import type { CampaignSort } from "#app/domain/campaigns/list-campaigns.server.ts";
import { formatCentsShort, toCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { notSelected } from "#app/screens/shared/campaign-words.ts";
import { Badge, Chips } from "#app/ui/badge.tsx";
import { formatCount, formatPercent, formatTimes } from "#app/ui/format.ts";
import { Progress } from "#app/ui/progress.tsx";
import { type Column, DataTable } from "#app/ui/table.tsx";
import { type ListSearch, listQuery } from "./list-search.ts";
import type { ShownCampaign as Row } from "./load-list.server.ts";
import { RowActions } from "./row-actions.tsx";

/** The advertiser's campaigns with their figures and what one can do with each. */
export function CampaignTable({
  base,
  search,
  campaigns,
}: {
  base: PortalBase;
  search: ListSearch;
  campaigns: readonly Row[];
}) {
  return (
    <DataTable
      caption="Campaigns"
      columns={columnsOf(base, search)}
      rows={campaigns}
      actions={(campaign) => <RowActions base={base} campaign={campaign} />}
    />
  );
}

function columnsOf(base: PortalBase, search: ListSearch): Column<Row>[] {
  const sort = (by: CampaignSort, direction: "ascending" | "descending") => ({
    to: listQuery(search, { sort: search.sort === by ? "newest" : by }),
    current: search.sort === by ? direction : undefined,
  });
  return [
    {
      head: "Campaign",
      sort: sort("name", "ascending"),
      wide: true,
      cell: (row) => (
        <>
          <Link className="row-link" to={portalHref(base, `/campaigns/${row.id}`)} prefetch="intent">
            {wordsOfName(row.name)}
          </Link>
          <small>{row.objective ? objectiveLabels[row.objective] : notSelected}</small>
        </>
      ),
    },
    { head: "Status", cell: (row) => <Status campaign={row} /> },
    { head: "Channels", spare: true, cell: (row) => <Channels channels={row.channels} /> },
    { head: "Budget", sort: sort("budget", "descending"), cell: (row) => <Spending campaign={row} /> },
    {
      head: "Impressions",
      sort: sort("impressions", "descending"),
      right: true,
      cell: (row) => <Performance campaign={row} />,
    },
    {
      head: "ROAS",
      right: true,
      spare: true,
      cell: (row) => <strong className="text-ink">{formatTimes(row.roas)}</strong>,
    },
    {
      head: "Dates",
      cell: (row) => <Flight campaign={row} />,
    },
  ];
}

function Status({ campaign }: { campaign: Row }) {
  const status = useShownStatus(campaign);
  return (
    <>
      <Badge tone={campaignStatusTones[status]}>{statusLabels[status]}</Badge>
      {campaign.hasUnsentChanges ? <small>Unsent changes</small> : null}
    </>
  );
}

/** The status; while a pause or a resumption is on its way already the one that it will make. */
function useShownStatus({ id, status }: Row): CampaignStatus {
  const fetcher = useFetcher({ key: `campaign-${id}` });
  const intent = fetcher.formData?.get("intent");
  return intent === "pause" ? "paused" : intent === "resume" ? "active" : status;
}

function Channels({ channels }: { channels: Row["channels"] }) {
  return <Chips items={channels.length > 0 ? channels.map((channel) => channelLabels[channel]) : [notSelected]} />;
}

function Spending({ campaign: { spentCents, totalBudgetCents } }: { campaign: Row }) {
  return (
    <div className="grid gap-1 min-w-24 num">
      <strong className="text-ink">{formatCentsShort(spentCents)}</strong>
      <Progress value={totalBudgetCents ? spentCents / totalBudgetCents : 0} label="Spent of the budget" />
      <small>{`of ${formatCentsShort(totalBudgetCents ?? toCents(0))}`}</small>
    </div>
  );
}

function Performance({ campaign: { impressions, clicks, ctr } }: { campaign: Row }) {
  return (
    <>
      <strong className="text-ink">{formatCount(impressions)}</strong>
      <small className="whitespace-nowrap">
        {formatCount(clicks)} <span className="md:sr-only">clicks</span> · {impressions > 0 ? formatPercent(ctr) : "–"}
        <span className="sr-only"> CTR</span>
      </small>
    </>
  );
}

/** Breaks between the days, never inside one. */
function Flight({ campaign: { startDate, endDate } }: { campaign: Row }) {
  const [from = "", to] = formatFlight(startDate, endDate).split(" – ");
  return (
    <>
      <span className="whitespace-nowrap">{to ? `${from} –` : from}</span>{" "}
      {to ? <span className="whitespace-nowrap">{to}</span> : null}
    </>
  );
}
