import { z } from "zod";
import {
  campaignSorts,
  countCampaigns,
  countMatchingCampaigns,
  type ListedCampaign,
  listCampaigns,
} from "#app/domain/campaigns/list-campaigns.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { formatRate, formatRatio } from "#app/ui/format.ts";
import {
  cursorParam,
  listStateParams,
  pageOrFirstPage,
  parseSearchParams,
  searchTextParam,
} from "#app/web/search-params.server.ts";
import { type CampaignSearch, statusFilters } from "./campaign-search.ts";

const searchSchema = z.object({
  q: searchTextParam,
  status: z.enum(statusFilters).catch("all"),
  sort: z.enum(campaignSorts).catch("newest"),
  cursor: cursorParam,
  ...listStateParams,
});
const pageSize = 25;

/** Parses the list's search parameters. Invalid values are ignored. */
export function parseCampaignSearch(request: Request): CampaignSearch {
  return parseSearchParams(request, searchSchema);
}

/** Loads the page of campaigns that the URL selects, with the total count and the filtered count. */
export async function loadCampaigns(ctx: Ctx<AdvertiserActor>, request: Request) {
  const search = parseCampaignSearch(request);
  const { q } = search;
  const archived = search.status === "archived";
  const status = search.status === "all" || search.status === "archived" ? undefined : search.status;
  const [page, counts, found] = await Promise.all([
    pageOrFirstPage((query) => listCampaigns(ctx, query), { ...search, status, archived, limit: pageSize }),
    countCampaigns(ctx),
    q || status === "rejected" ? countMatchingCampaigns(ctx, { q, status, archived }) : undefined,
  ]);
  const rows = page.rows.map(toListItem);
  const stored = search.status === "rejected" ? 0 : counts[search.status];
  return { search, page: { ...page, rows }, all: counts.all + counts.archived, matching: found ?? stored };
}

/**
 * Only the fields that the list renders: each is sent twice, in the HTML and in the hydration data. Rates are sent as
 * they are shown, because a quotient has sixteen digits, which do not compress.
 */
export type ListedCampaignView = ReturnType<typeof toListItem>;

function toListItem(campaign: ListedCampaign) {
  const { audienceIds, dailyBudgetCents, managedByRetailer, createdAt, ctr, roas, ...shown } = campaign;
  return { ...shown, ctr: formatRate(ctr, campaign.impressions), roas: formatRatio(roas) };
}
