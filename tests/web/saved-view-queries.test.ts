import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import {
  normalizeViewQuery,
  type SavedViewList,
  savedViewLimits,
  savedViewParameters,
} from "#app/domain/saved-views/saved-view.ts";
import { parseCampaignSearch } from "#app/screens/advertiser/campaigns/list/load-campaigns.server.ts";
import { parseAudienceSearch } from "#app/screens/publisher/audiences/list/parse-audience-search.server.ts";
import { parseApprovalSearch } from "#app/screens/publisher/campaigns/approval/parse-approval-search.server.ts";
import { parseCampaignSearch as parseLineItemSearch } from "#app/screens/publisher/campaigns/list/parse-campaign-search.server.ts";
import { parseActivitySearch } from "#app/screens/shared/activity/activity-search.server.ts";
import { parseAnalyticsRequest } from "#app/screens/shared/analytics/parse-analytics-request.server.ts";
import { parseBillingSearch } from "#app/screens/shared/billing/overview/parse-billing-search.server.ts";
import { parseCreativeSearch } from "#app/screens/shared/creatives/list/parse-creative-search.server.ts";
import { parseProductSearch } from "#app/screens/shared/products/list/load-products.server.ts";

type List = { side: AccountType; list: SavedViewList; parse: (request: Request) => object };

const shared = (side: AccountType): List[] => [
  { side, list: "products", parse: parseProductSearch },
  { side, list: "creatives", parse: parseCreativeSearch },
  { side, list: "transactions", parse: (request) => parseBillingSearch(request, side) },
  { side, list: "activity", parse: parseActivitySearch },
  {
    side,
    list: "analytics",
    parse: (request) => parseAnalyticsRequest(request, { side, today: calendarDateOf(new Date(0)) }).search,
  },
];
const lists: List[] = [
  { side: "advertiser", list: "campaigns", parse: parseCampaignSearch },
  ...shared("advertiser"),
  { side: "publisher", list: "campaigns", parse: parseLineItemSearch },
  { side: "publisher", list: "approvals", parse: parseApprovalSearch },
  { side: "publisher", list: "audiences", parse: parseAudienceSearch },
  { side: "publisher", list: "earnings", parse: (request) => parseBillingSearch(request, "publisher") },
  ...shared("publisher"),
];
const pageParameters = ["cursor", "page", "saved"];

/**
 * Returns what a list reads from a query, without page and view. Empty values count as none, except for the columns.
 */
function read({ parse }: List, query: string) {
  const entries = Object.entries(parse(new Request(`http://localhost/?${query}`)));
  const isRead = ([name, value]: [string, unknown]) =>
    !pageParameters.includes(name) && value !== undefined && (value !== "" || name === "columns");
  return Object.fromEntries(entries.filter(isRead));
}

test("every list that has views is tested here", () => {
  const stated = (["advertiser", "publisher"] as const).flatMap((side) =>
    Object.keys(savedViewParameters[side]).map((list) => `${side} ${list}`),
  );
  expect(lists.map(({ side, list }) => `${side} ${list}`).sort()).toEqual(stated.sort());
});

const values = fc.oneof(
  fc.constantFrom("active", "paused", "ready", "name", "roas", "earnings", "spend", "campaign", "2026-11", "image"),
  fc.constantFrom("roas,status", "all", "descending", "last_7_days", "2026-11-03", "video", "custom", "charge", ""),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

test.each(lists)("a saved query of the $side's $list leads to the same list", (list) => {
  const own = savedViewParameters[list.side][list.list] ?? [];
  const names = fc.constantFrom(...own, ...pageParameters, "next", "view");
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values), { maxLength: 8 }), (pairs) => {
      const query = new URLSearchParams(pairs).toString();
      const stored = normalizeViewQuery(list.side, { ...list, query });
      if (stored === undefined) return query.length > savedViewLimits.query;
      expect(stored).toMatch(/^[A-Za-z0-9*._+%=&-]*$/);
      expect(read(list, stored)).toEqual(read(list, query));
      expect(normalizeViewQuery(list.side, { ...list, query: stored })).toBe(stored);
    }),
    { numRuns: 60 },
  );
});

test.each(lists)("every filter of the $side's $list is part of its views", (list) => {
  const own = savedViewParameters[list.side][list.list] ?? [];
  const filters = Object.keys(list.parse(new Request("http://localhost/")));
  // Billing has one search for all its tabs.
  const others = list.list === "transactions" ? ["status", "columns"] : list.list === "earnings" ? ["type"] : [];
  expect(filters.filter((name) => ![...own, ...pageParameters, ...others].includes(name))).toEqual([]);
  expect(new Set(own).size).toBe(own.length);
});
