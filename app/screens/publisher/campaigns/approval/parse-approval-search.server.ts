import { z } from "zod";
import { approvalFilters } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { cursorParam, listStateParams, parseSearchParams } from "#app/web/search-params.server.ts";
import type { ApprovalSearch } from "./approval-search.ts";

const searchSchema = z.object({
  status: z.enum(approvalFilters).catch("pending"),
  cursor: cursorParam,
  saved: listStateParams.saved,
});

/** Parses the list's search parameters. Invalid values are ignored. */
export function parseApprovalSearch(request: Request): ApprovalSearch {
  return parseSearchParams(request, searchSchema);
}
