import { z } from "zod";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { revenueShareSorts, revenueShareStatuses } from "#app/domain/billing/revenue-share.ts";
import { transactionSorts, transactionTypes } from "#app/domain/billing/transaction.ts";
import { cursorParam, listStateParams, monthParam, parseSearchParams } from "#app/web/search-params.server.ts";
import { type BillingSearch, billingTabs } from "./billing-search.ts";

const searchSchema = z.object({
  tab: z.string().optional().catch(undefined),
  type: z.enum(transactionTypes).optional().catch(undefined),
  status: z.enum(revenueShareStatuses).optional().catch(undefined),
  month: monthParam,
  sort: z
    .enum([...transactionSorts, ...revenueShareSorts])
    .optional()
    .catch(undefined),
  cursor: cursorParam,
  ...listStateParams,
});

/**
 * Parses the search parameters of the URL. Invalid values are ignored: a tab that the side lacks becomes its first tab.
 */
export function parseBillingSearch(request: Request, side: AccountType): BillingSearch {
  const { tab: requested, ...search } = parseSearchParams(request, searchSchema);
  const known = billingTabs[side].find(({ tab }) => tab === requested);
  return { ...search, tab: known?.tab ?? "overview" };
}
