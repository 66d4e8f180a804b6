import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { groupingLabels } from "#app/domain/analytics/performance-columns.ts";
import { rangeLabels } from "#app/domain/analytics/period.ts";
import { audienceStatusLabels, segmentLabels } from "#app/domain/audiences/audience.ts";
import { activityKindLabels } from "#app/domain/audit/activity.ts";
import { listActivityPeople } from "#app/domain/audit/list-activity.server.ts";
import { revenueShareStatusLabels } from "#app/domain/billing/revenue-share.ts";
import { transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import { appName } from "#app/domain/branding.ts";
import { calendarDateOf, formatDate } from "#app/domain/calendar-date.ts";
import { formatMonth } from "#app/domain/calendar-month.ts";
import { channelLabels, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { productStatusLabels } from "#app/domain/catalog/product.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { creativeTypeLabels } from "#app/domain/creatives/creative.ts";
import type { SavedViewList } from "#app/domain/saved-views/saved-view.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { campaignSortLabels } from "#app/screens/advertiser/campaigns/list/campaign-filters.tsx";
import { campaignColumns } from "#app/screens/advertiser/campaigns/list/campaign-table.tsx";
import { parseCampaignSearch } from "#app/screens/advertiser/campaigns/list/load-campaigns.server.ts";
import { audienceColumns } from "#app/screens/publisher/audiences/list/audience-columns.tsx";
import { audienceSortLabels } from "#app/screens/publisher/audiences/list/audience-filters.tsx";
import { parseAudienceSearch } from "#app/screens/publisher/audiences/list/parse-audience-search.server.ts";
import { approvalTabs } from "#app/screens/publisher/campaigns/approval/approval-search.ts";
import { parseApprovalSearch } from "#app/screens/publisher/campaigns/approval/parse-approval-search.server.ts";
import {
  lineItemSortOptions,
  campaignColumns as publisherColumns,
} from "#app/screens/publisher/campaigns/campaign-columns.tsx";
import { campaignTabs } from "#app/screens/publisher/campaigns/list/campaign-search.ts";
import { parseCampaignSearch as parsePublisherSearch } from "#app/screens/publisher/campaigns/list/parse-campaign-search.server.ts";
import { parseActivitySearch } from "#app/screens/shared/activity/activity-search.server.ts";
import { parseAnalyticsRequest } from "#app/screens/shared/analytics/parse-analytics-request.server.ts";
import { performanceTableColumns } from "#app/screens/shared/analytics/performance-table.tsx";
import { earningsColumns, earningsSortLabels } from "#app/screens/shared/billing/overview/earnings-tab.tsx";
import { parseBillingSearch } from "#app/screens/shared/billing/overview/parse-billing-search.server.ts";
import { transactionSortLabels } from "#app/screens/shared/billing/overview/transactions-tab.tsx";
import { parseCreativeSearch } from "#app/screens/shared/creatives/list/parse-creative-search.server.ts";
import { parseProductSearch } from "#app/screens/shared/products/list/load-products.server.ts";
import { productSortLabels } from "#app/screens/shared/products/list/product-filters.tsx";
import { productColumns } from "#app/screens/shared/products/product-columns.tsx";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import type { Column } from "#app/ui/table/column.ts";

/** One filter, the order or the columns of a view, in words. */
export type ViewFact = { label: string; value: string };

type Optional = { label: string; value: string | undefined };
type View = { ctx: Ctx<TenantActor>; base: PortalBase; request: Request };

/**
 * Describes what a view's query makes of its list, in the words of the list's own filters and columns. Values that the
 * list ignores are left out; without a filter it says so.
 */
export async function describeView(
  ctx: Ctx<TenantActor>,
  { base, list, query }: { base: PortalBase; list: SavedViewList; query: string },
): Promise<ViewFact[]> {
  const view = { ctx, base, request: new Request(`http://site.invalid/?${query}`) };
  const { filters, ...state } = await describers[list](view);
  const set = [...filters, ...("order" in state ? [{ label: "Sort order", value: state.order }] : [])];
  const facts = set.flatMap(({ label, value }) => (value ? [{ label, value }] : []));
  const hasFilter = facts.some(({ label }) => label !== "Sort order");
  return [
    ...(hasFilter ? [] : [{ label: "Filters", value: "None" }]),
    ...facts,
    ...("columns" in state && state.columns ? [{ label: "Columns", value: state.columns }] : []),
  ];
}

type Description = { filters: Optional[]; order?: string; columns?: string };

const describers: Record<SavedViewList, (view: View) => Description | Promise<Description>> = {
  campaigns: (view) => (view.ctx.actor.kind === "advertiser" ? advertiserCampaigns(view) : publisherCampaigns(view)),
  approvals: ({ request }) => {
    const { status } = parseApprovalSearch(request);
    return { filters: [{ label: "Tab", value: approvalTabs.find(({ value }) => value === status)?.label }] };
  },
  audiences: ({ base, request }) => {
    const search = parseAudienceSearch(request);
    const { q, segment, status, sort } = search;
    return {
      filters: [
        searched(q),
        { label: "Segment", value: segment === "all" ? undefined : segmentLabels[segment] },
        { label: "Status", value: status === "all" ? undefined : audienceStatusLabels[status] },
      ],
      order: audienceSortLabels[sort],
      columns: describeColumns(audienceColumns(base, search), search.columns),
    };
  },
  products: ({ request }) => {
    const { q, category, status, sort, columns } = parseProductSearch(request);
    const href = () => "";
    return {
      filters: [
        searched(q),
        { label: "Category", value: category },
        { label: "Status", value: status === "all" ? undefined : productStatusLabels[status] },
      ],
      order: productSortLabels[sort],
      columns: describeColumns(productColumns({ sort, sortHref: href, viewHref: href, imageHref: href }), columns),
    };
  },
  creatives: ({ request }) => {
    const { q, type } = parseCreativeSearch(request);
    return { filters: [searched(q), { label: "File type", value: type && creativeTypeLabels[type] }] };
  },
  transactions: ({ ctx, request }) => {
    const { type, month, sort } = parseBillingSearch(request, ctx.actor.kind);
    return {
      filters: [
        { label: "Type", value: type && transactionTypeLabels[type] },
        { label: "Month", value: month && formatMonth(month) },
      ],
      order: orderOf(transactionSortLabels, sort),
    };
  },
  earnings: ({ ctx, request }) => {
    const search = parseBillingSearch(request, ctx.actor.kind);
    const { status, month, sort } = search;
    return {
      filters: [
        { label: "Status", value: status && revenueShareStatusLabels[status] },
        { label: "Month", value: month && formatMonth(month) },
      ],
      order: orderOf(earningsSortLabels, sort),
      columns: describeColumns(earningsColumns(search), search.columns),
    };
  },
  analytics,
  activity: async ({ ctx, request }) => {
    const { kind, who, from, to, q } = parseActivitySearch(request);
    const fixed = { keys: "API keys", others: "Other companies", endcap: appName };
    const person = who && (await listActivityPeople(ctx)).find(({ id }) => id === who)?.name;
    return {
      filters: [
        searched(q),
        { label: "Type", value: kind && activityKindLabels[kind] },
        { label: "Actor", value: person ?? Object.entries(fixed).find(([name]) => name === who)?.[1] },
        { label: "From (UTC)", value: from && formatDate(from) },
        { label: "To (UTC)", value: to && formatDate(to) },
      ],
      order: "Newest first",
    };
  },
};

function advertiserCampaigns({ base, request }: View): Description {
  const search = parseCampaignSearch(request);
  const { q, status, sort } = search;
  const label = status === "archived" ? "Archived" : status === "all" ? undefined : statusLabels[status];
  return {
    filters: [searched(q), { label: "Status", value: label }],
    order: campaignSortLabels[sort],
    columns: describeColumns(campaignColumns(base, search), search.columns),
  };
}

function publisherCampaigns({ base, request }: View): Description {
  const { filter, q, sort, columns } = parsePublisherSearch(request);
  return {
    filters: [searched(q), { label: "Tab", value: campaignTabs.find(({ value }) => value === filter)?.label }],
    order: lineItemSortOptions.find((option) => option.sort === sort)?.label,
    columns: describeColumns(publisherColumns(base, { sort, sortHref: () => "" }), columns),
  };
}

async function analytics({ ctx, request }: View): Promise<Description> {
  const side = ctx.actor.kind;
  const { search, filters, group, split } = parseAnalyticsRequest(request, {
    side,
    today: calendarDateOf(ctx.clock()),
  });
  const options = await listFilterOptions(ctx, filters);
  const columns = performanceTableColumns({ side, search, group, split });
  const sorted = columns.find(({ sort }) => sort?.current);
  const nameIn = (known: readonly { value: string; label: string }[], chosen: string | undefined) =>
    chosen && (known.find(({ value }) => value === chosen)?.label ?? "Not found");
  const range = search.range && search.range !== "custom" ? rangeLabels[search.range] : undefined;
  return {
    filters: [
      {
        label: "View",
        value: search.view && { advertiser: "Advertiser view", publisher: "Publisher view" }[search.view],
      },
      { label: "Date range", value: range },
      { label: "From", value: range ? undefined : search.from },
      { label: "To", value: range ? undefined : search.to },
      { label: "Campaign", value: nameIn(options.campaigns, search.campaign) },
      { label: "Product category", value: search.category },
      { label: "Audience", value: nameIn(options.audiences, search.audience) },
      { label: "Channel", value: search.channel && channelLabels[search.channel] },
      { label: "Metric of the chart", value: search.metric },
      { label: "Second metric", value: search.second },
      { label: "Points of the chart", value: search.interval && groupingLabels[search.interval] },
      { label: "Performance by", value: search.group && groupingLabels[search.group] },
      { label: "Then by", value: search.split && groupingLabels[search.split] },
    ],
    order: sorted && `${sorted.header}, ${sorted.sort?.current}`,
    columns: describeColumns(columns, search.columns),
  };
}

function searched(q: string | undefined): Optional {
  return { label: "Search", value: q && `“${q}”` };
}

function orderOf(labels: Readonly<Record<string, string>>, sort: string | undefined): string {
  return Object.entries(labels).find(([known]) => known === sort)?.[1] ?? "Newest first";
}

/** The names of the chosen columns after the title; those of the usual table have one word. */
function describeColumns<Row>(columns: readonly Column<Row>[], asked: string | undefined): string {
  const { choices, chosen } = chooseColumns(columns, asked);
  if (chosen === undefined) return "Usual columns";
  const labels = choices.flatMap(({ label, isChosen }) => (isChosen ? [label] : []));
  return labels.length > 0 ? labels.join(", ") : "Only names";
}
