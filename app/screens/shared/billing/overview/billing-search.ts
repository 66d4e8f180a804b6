import type { AccountType } from "#app/domain/accounts/account.ts";
import type { RevenueShareSort, RevenueShareStatus } from "#app/domain/billing/revenue-share.ts";
import type { TransactionSort, TransactionType } from "#app/domain/billing/transaction.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import type { SavedViewList } from "#app/domain/saved-views/saved-view.ts";
import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/** The screen's title on each side. */
export const billingTitles: Record<AccountType, string> = { advertiser: "Billing & Spend", publisher: "Billing" };

/** The tabs of each side. The first one is the default. */
export const billingTabs = {
  advertiser: [
    { tab: "overview", label: "Overview" },
    { tab: "spend", label: "Ad Spend" },
    { tab: "methods", label: "Payment Methods" },
  ],
  publisher: [
    { tab: "overview", label: "Overview" },
    { tab: "subscription", label: "Subscription" },
    { tab: "earnings", label: "Earnings" },
    { tab: "transactions", label: "Transactions" },
    { tab: "methods", label: "Payment Methods" },
  ],
} as const satisfies Record<AccountType, readonly { tab: string; label: string }[]>;

export type BillingTab = (typeof billingTabs)[AccountType][number]["tab"];

/** Returns the list of a tab that has saved views, if it has one. */
export function billingViewList(tab: BillingTab): SavedViewList | undefined {
  if (tab === "earnings") return "earnings";
  return tab === "spend" || tab === "transactions" ? "transactions" : undefined;
}

/** The search parameters of billing; an absent one means the default. */
export type BillingSearch = {
  tab: BillingTab;
  type?: TransactionType;
  status?: RevenueShareStatus;
  month?: CalendarMonth;
  /** The order of the tab's list. */
  sort?: BillingSort;
  cursor?: string;
} & ListState;

export type BillingSort = TransactionSort | RevenueShareSort;

/** Returns the screen's query string with these changes. Another tab or filter starts at the first page. */
export function billingQuery(search: BillingSearch, changes: Partial<BillingSearch> = {}): string {
  const query = new URLSearchParams();
  const { columns, saved, ...filters } = { ...search, cursor: undefined, ...changes };
  for (const [name, value] of Object.entries(filters)) {
    if (value && !(name === "tab" && value === "overview") && !(name === "sort" && value === "newest"))
      query.set(name, value);
  }
  setListState(query, { columns, saved });
  return query.size > 0 ? `?${query}` : "";
}
