import { z } from "zod";
import { creativeTypes } from "#app/domain/creatives/creative.ts";
import { cursorParam, listStateParams, parseSearchParams, searchTextParam } from "#app/web/search-params.server.ts";
import type { CreativeSearch } from "./creative-search.ts";

const searchSchema = z.object({
  q: searchTextParam,
  type: z.enum(creativeTypes).optional().catch(undefined),
  cursor: cursorParam,
  saved: listStateParams.saved,
});

/** Parses the library's search parameters. Invalid values are ignored. */
export function parseCreativeSearch(request: Request): CreativeSearch {
  return parseSearchParams(request, searchSchema);
}
