import type { AppLoadContext } from "@remix-run/node";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { searchAccount } from "#app/domain/search/search-account.server.ts";
import { maxSearchLength, type SearchGroup, type SearchKind } from "#app/domain/search/search-result.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { describeResult } from "./describe-result.ts";
import { findDestinations } from "./destinations.ts";
import type { SearchItems, SearchView } from "./search-view.ts";

/** A group's label, and the list that shows all that match. */
const groups: Record<SearchKind, { label: string; list?: `/${string}` }> = {
  campaign: { label: "Campaigns", list: "/campaigns" },
  line_item: { label: "Campaigns", list: "/campaigns" },
  audience: { label: "Audiences", list: "/audiences" },
  product: { label: "Products", list: "/products" },
  creative: { label: "Creatives", list: "/creatives" },
  invoice: { label: "Invoices" },
  payout: { label: "Payouts" },
  statement: { label: "Statements" },
};

/** Searches the rows and the pages of the request's portal for its `q`. */
export async function loadSearch(
  request: Request,
  context: AppLoadContext,
): Promise<SearchView & { base: PortalBase }> {
  const { ctx, portal, base } = await requireCurrentPortalAccess(request, context);
  const asked = new URL(request.url).searchParams.get("q") ?? "";
  const q = asked.replaceAll("\0", "").trim().slice(0, maxSearchLength);
  const found = await searchAccount(ctx, { q });
  const rows = found.map((group) => toItems(group, { q, portal, base, now: ctx.clock() }));
  return { base, q, groups: [...rows, ...destinationItems(portal, base, q)] };
}

type View = { q: string; portal: AccountType; base: PortalBase; now: Date };

function toItems(found: SearchGroup, { q, portal, base, now }: View): SearchItems {
  const { kind, results } = found;
  const { label, list } = groups[kind];
  const items = results.map((result) => {
    const { path, title, detail } = describeResult(result, now);
    return { id: `${kind}-${result.id}`, href: portalHref(base, path), title, detail };
  });
  // Advertisers have no list of audiences: they choose them in a campaign.
  const isListed = list && !(kind === "audience" && portal === "advertiser");
  const { label: listLabel, query } = listOf(found, { q, portal, names: label.toLowerCase() });
  const more = isListed ? { href: portalHref(base, `${list}?${query}`), label: listLabel } : undefined;
  const count = found.count > results.length ? formatSearchCount(found, found.count) : undefined;
  return { label, items, count, more };
}

/** Which rows of a group its list shows, and the list's query. A list leaves archived rows out, or has them alone. */
function listOf(
  found: SearchGroup,
  { q, portal, names }: Pick<View, "q" | "portal"> & { names: string },
): { label: string; query: URLSearchParams } {
  const { results, archived, count } = found;
  const listed = count - archived;
  if (listed === 0) {
    const tab = portal === "advertiser" ? "status" : "filter";
    return { label: `Archived ${names} that match`, query: new URLSearchParams({ [tab]: "archived", q }) };
  }
  const query = new URLSearchParams({ q });
  if (archived > 0) return { label: `Show ${formatSearchCount(found, listed)} ${names} that are not archived`, query };
  if (count <= results.length) return { label: `All ${names} that match`, query };
  return { label: `Show all ${formatSearchCount(found, count)} ${names}`, query };
}

function formatSearchCount({ isAtLeast }: SearchGroup, count: number): string {
  return `${count}${isAtLeast ? "+" : ""}`;
}

function destinationItems(portal: AccountType, base: PortalBase, q: string): SearchItems[] {
  const { pages, actions } = findDestinations(portal, q);
  const group = (label: string, found: typeof pages): SearchItems => ({
    label,
    items: found.map(({ path, label: title }) => ({
      id: `page-${path}`,
      href: portalHref(base, path),
      title,
      detail: "",
    })),
    count: undefined,
    more: undefined,
  });
  return [group("Actions", actions), group("Pages", pages)].filter(({ items }) => items.length > 0);
}
