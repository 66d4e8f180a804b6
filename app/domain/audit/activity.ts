import type { CalendarDate } from "../calendar-date.ts";
import type { UserId } from "../ids.ts";

/** The kinds of an account's activity, and the audit actions that belong to each. Pure. */
export const activityKinds = ["campaigns", "audiences", "products", "creatives", "money", "account"] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const activityKindLabels: Record<ActivityKind, string> = {
  campaigns: "Campaigns",
  audiences: "Audiences",
  products: "Products",
  creatives: "Creatives",
  money: "Billing",
  account: "Account and access",
};

/** The part of an action before the first dot names its subject. */
const kindByActionPrefix: Readonly<Record<string, ActivityKind>> = {
  campaign: "campaigns",
  line_item: "campaigns",
  audience: "audiences",
  erasure: "audiences",
  connection: "audiences",
  product: "products",
  products: "products",
  store: "products",
  creative: "creatives",
  payment_method: "money",
  top_up: "money",
  invoice: "money",
  subscription: "money",
  payout: "money",
  payout_account: "money",
};

export function activityKindOf(action: string): ActivityKind {
  return kindByActionPrefix[action.replace(/\..*$/, "")] ?? "account";
}

/**
 * Returns the action prefixes of a kind. For `account` these are the prefixes of all other kinds: every action without
 * one of them belongs to the account.
 */
export function listActionPrefixes(kind: ActivityKind): string[] {
  return Object.keys(kindByActionPrefix).filter((prefix) => kind === "account" || kindByActionPrefix[prefix] === kind);
}

/** The actor to filter by: one of the account's users by ID, its API keys, other companies, or Endcap itself. */
export type ActivityActor = UserId | "keys" | "others" | "endcap";

/** Filters of the activity list. Days are UTC and inclusive. */
export type ActivityFilter = {
  kind?: ActivityKind | undefined;
  who?: ActivityActor | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
  q?: string | undefined;
};
