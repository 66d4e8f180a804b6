import type { AccountType } from "../accounts/account.ts";

/** The lists that have saved views. */
export const savedViewLists = [
  "campaigns",
  "approvals",
  "audiences",
  "products",
  "creatives",
  "transactions",
  "earnings",
  "analytics",
  "activity",
] as const;
export type SavedViewList = (typeof savedViewLists)[number];

/** Views of test mode are apart from those of the same person's live portal. */
export const savedViewModes = ["live", "test"] as const;
export type SavedViewMode = (typeof savedViewModes)[number];

export const savedViewLimits = { perList: 20, name: 60, query: 1_000 } as const;

const activityParameters = ["kind", "who", "from", "to", "q"];
const catalogParameters = ["q", "category", "status", "sort", "columns"];
const analyticsParameters = [
  ...["view", "range", "from", "to", "campaign", "audience", "category", "channel"],
  ...["metric", "second", "interval", "group", "split", "sort", "order", "columns"],
];

/** The parameters of each side's lists, without the page. */
export const savedViewParameters: Record<AccountType, Partial<Record<SavedViewList, readonly string[]>>> = {
  advertiser: {
    campaigns: ["q", "status", "sort", "columns"],
    products: catalogParameters,
    creatives: ["q", "type"],
    transactions: ["tab", "type", "month", "sort"],
    analytics: analyticsParameters,
    activity: activityParameters,
  },
  publisher: {
    campaigns: ["filter", "q", "sort", "columns"],
    approvals: ["status"],
    audiences: ["q", "segment", "status", "sort", "columns"],
    products: catalogParameters,
    creatives: ["q", "type"],
    transactions: ["tab", "type", "month", "sort"],
    earnings: ["tab", "status", "month", "sort", "columns"],
    analytics: analyticsParameters,
    activity: activityParameters,
  },
};

/**
 * Returns the query of a view: the list's own parameters, each once, sorted, and encoded so that it is neither markup
 * nor another URL. The list parses its values when the view is opened. Undefined if it is too long or the side has no
 * such list.
 */
export function normalizeViewQuery(
  side: AccountType,
  { list, query }: { list: SavedViewList; query: string },
): string | undefined {
  const parameters = savedViewParameters[side][list];
  if (!parameters) return undefined;
  const asked = new URLSearchParams(query);
  const stored = new URLSearchParams();
  for (const name of [...parameters].sort()) {
    const values = asked.getAll(name);
    // The checkboxes of columns are one value, and no chosen column differs from no choice.
    if (name === "columns" && values.length > 0) stored.set(name, values.filter(Boolean).join(","));
    else if (values.at(-1)) stored.set(name, values.at(-1) ?? "");
  }
  const text = stored.toString();
  return text.length > savedViewLimits.query ? undefined : text;
}
