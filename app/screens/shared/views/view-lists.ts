import type { SavedViewList } from "#app/domain/saved-views/saved-view.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";

const lists: Record<SavedViewList, { path: `/${string}`; label: string }> = {
  campaigns: { path: "/campaigns", label: "Campaigns" },
  approvals: { path: "/approval", label: "Campaign Approval" },
  audiences: { path: "/audiences", label: "Audiences" },
  products: { path: "/products", label: "Product Catalog" },
  creatives: { path: "/creatives", label: "Creatives" },
  transactions: { path: "/billing", label: "Transactions" },
  earnings: { path: "/billing", label: "Earnings" },
  analytics: { path: "/analytics", label: "Analytics" },
  activity: { path: "/activity", label: "Activity" },
};

export function viewListLabel(list: SavedViewList): string {
  return lists[list].label;
}

/** Returns the query of a list without filters. */
export function usualQuery(base: PortalBase, list: SavedViewList): string {
  const isAdvertiser = base.startsWith("/advertiser");
  if (list === "transactions") return isAdvertiser ? "tab=spend" : "tab=transactions";
  if (list === "approvals") return "status=pending";
  if (list === "earnings") return "tab=earnings";
  return list === "campaigns" && !isAdvertiser ? "filter=all" : "";
}

/** Returns the URL of a list with a view's query; `id` marks the view as the one that is open. */
export function viewHref(base: PortalBase, { list, query, id }: { list: SavedViewList; query: string; id?: string }) {
  const requested = new URLSearchParams(query);
  if (id) requested.set("saved", id);
  return portalHref(base, `${lists[list].path}${requested.size > 0 ? `?${requested}` : ""}`);
}

/** Returns a query in one order of its parameters, to compare it with that of a view. */
export function sortQuery(query: string): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return sorted.toString();
}
