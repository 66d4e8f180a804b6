import { z } from "zod";
import { audienceStatuses, segments } from "#app/domain/audiences/audience.ts";
import { audienceSorts } from "#app/domain/audiences/list-own-audiences.server.ts";
import { cursorParam, listStateParams, parseSearchParams, searchTextParam } from "#app/web/search-params.server.ts";
import type { AudienceSearch } from "./audience-search.ts";

const searchSchema = z.object({
  q: searchTextParam,
  segment: z.enum(["all", ...segments]).catch("all"),
  status: z.enum(["all", ...audienceStatuses]).catch("all"),
  sort: z.enum(audienceSorts).catch("name"),
  cursor: cursorParam,
  ...listStateParams,
});

/** Parses the list's search parameters. Invalid values are ignored. */
export function parseAudienceSearch(request: Request): AudienceSearch {
  return parseSearchParams(request, searchSchema);
}
