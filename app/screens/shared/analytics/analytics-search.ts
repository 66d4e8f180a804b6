import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Grouping, PerformanceSort, SortOrder } from "#app/domain/analytics/analytics.ts";
import type { Range } from "#app/domain/analytics/period.ts";

/** What analytics is asked for, as it stands in the address; absent is the usual. */
export type AnalyticsSearch = {
  /** From whose side the matter is looked at: by campaigns, or by audiences. The figures are the account's own either way. */
  view?: AccountType;
  range?: Range;
  from?: string;
  to?: string;
  campaign?: string;
  audience?: string;
  category?: string;
  channel?: string;
  /** The figure of the charts. */
  metric?: string;
  group?: Grouping;
  sort?: PerformanceSort;
  order?: SortOrder;
  page?: string;
};

/** The query of the screen with these changes. Another page of the table is asked for by itself. */
export function analyticsQuery(search: AnalyticsSearch, changes: Partial<AnalyticsSearch> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...search, page: undefined, ...changes })) {
    if (value) query.set(name, value);
  }
  return `?${query}`;
}

/** Another grouping has an order of its own. */
export function groupQuery(search: AnalyticsSearch, group: Grouping): string {
  return analyticsQuery(search, { group, sort: undefined, order: undefined });
}

/** By what a side's table is put together unless asked otherwise. */
export const usualGroup: Record<AccountType, Grouping> = { advertiser: "campaign", publisher: "audience" };
