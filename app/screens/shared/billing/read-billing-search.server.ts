import { z } from "zod";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { revenueShareStatuses } from "#app/domain/billing/revenue-share.ts";
import { transactionTypes } from "#app/domain/billing/transaction.ts";
import { cursorParam, monthParam, readSearch } from "#app/web/search-params.server.ts";
import { type BillingSearch, billingTabs } from "./billing-search.ts";

const searchSchema = z.object({
  tab: z.string().optional().catch(undefined),
  type: z.enum(transactionTypes).optional().catch(undefined),
  status: z.enum(revenueShareStatuses).optional().catch(undefined),
  month: monthParam,
  cursor: cursorParam,
});

/** What the address asks for. No address fails: a tab that the side has not is its first. */
export function readBillingSearch(request: Request, side: AccountType): BillingSearch {
  const { tab: asked, ...search } = readSearch(request, searchSchema);
  const known = billingTabs[side].find(({ tab }) => tab === asked);
  return { ...search, tab: known?.tab ?? "overview" };
}
