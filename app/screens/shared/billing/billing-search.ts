import type { AccountType } from "#app/domain/accounts/account.ts";
import type { RevenueShareStatus } from "#app/domain/billing/revenue-share.ts";
import type { TransactionType } from "#app/domain/billing/transaction.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";

/** What the screen is called on each side. */
export const billingTitles: Record<AccountType, string> = { advertiser: "Billing & Spend", publisher: "Billing" };

/** The tabs of each side (specification, section 6): only what is built. The first is shown unless asked otherwise. */
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

/** What billing is asked for, as it stands in the address; absent is the usual. */
export type BillingSearch = {
  tab: BillingTab;
  type?: TransactionType;
  status?: RevenueShareStatus;
  month?: CalendarMonth;
  cursor?: string;
};

/** The query of the screen with these changes. Another tab or filter begins with its first page. */
export function billingQuery(search: BillingSearch, changes: Partial<BillingSearch> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...search, cursor: undefined, ...changes })) {
    if (value && !(name === "tab" && value === "overview")) query.set(name, value);
  }
  return query.size > 0 ? `?${query}` : "";
}
