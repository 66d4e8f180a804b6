import { z } from "zod";
import { campaignStatuses } from "#app/domain/campaigns/campaign.ts";
import {
  campaignSorts,
  countCampaigns,
  countMatchingCampaigns,
  type ListedCampaign,
  listCampaigns,
} from "#app/domain/campaigns/list-campaigns.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { cursorParam, pageOrFirst, queryParam, readSearch } from "#app/web/search-params.server.ts";

const searchSchema = z.object({
  q: queryParam,
  status: z.enum(["all", ...campaignStatuses]).catch("all"),
  sort: z.enum(campaignSorts).catch("newest"),
  cursor: cursorParam,
});
const pageSize = 25;

/** The page of campaigns that the address asks for, and how many there are in all and of what is asked for. */
export async function loadList(ctx: Ctx<AdvertiserActor>, request: Request) {
  const search = readSearch(request, searchSchema);
  const { q } = search;
  const status = search.status === "all" ? undefined : search.status;
  const [page, counts, found] = await Promise.all([
    pageOrFirst((asked) => listCampaigns(ctx, asked), { ...search, status, limit: pageSize }),
    countCampaigns(ctx),
    q ? countMatchingCampaigns(ctx, { q, status }) : undefined,
  ]);
  const rows = page.rows.map(shownPart);
  return { search, page: { ...page, rows }, all: counts.all, matching: found ?? counts[search.status] };
}

/** What the list shows: all of it is sent to the browser twice, as the page and as its data. */
export type ShownCampaign = ReturnType<typeof shownPart>;

function shownPart(campaign: ListedCampaign) {
  const { audienceIds, dailyBudgetCents, conversions, managedByRetailer, createdAt, ...shown } = campaign;
  return shown;
}
