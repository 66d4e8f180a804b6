import { z } from "zod";
import { lineItemSorts, managementFilters } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { cursorParam, listStateParams, parseSearchParams, searchTextParam } from "#app/web/search-params.server.ts";
import type { CampaignSearch } from "./campaign-search.ts";

const searchSchema = z.object({
  filter: z.enum([...managementFilters, "archived"]).catch("all"),
  q: searchTextParam,
  sort: z.enum(lineItemSorts).catch("newest"),
  cursor: cursorParam,
  ...listStateParams,
});

/** Parses the list's search parameters. Invalid values are ignored. */
export function parseCampaignSearch(request: Request): CampaignSearch {
  return parseSearchParams(request, searchSchema);
}
