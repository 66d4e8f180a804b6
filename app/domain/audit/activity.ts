import type { CalendarDate } from "../calendar-date.ts";
import type { UserId } from "../ids.ts";

/** The vocabulary of an account's activity: its kinds, and which rows are of each. Pure. */
export const activityKinds = ["campaigns", "audiences", "products", "creatives", "money", "account"] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const activityKindLabels: Record<ActivityKind, string> = {
  campaigns: "Campaigns",
  audiences: "Audiences",
  products: "Products",
  creatives: "Creatives",
  money: "Money",
  account: "Account and access",
};

/** The first part of an action says what it is about. */
const kindsOfActions: Readonly<Record<string, ActivityKind>> = {
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
  return kindsOfActions[action.replace(/\..*$/, "")] ?? "account";
}

/** The first parts of the actions that are of some kind; of the account are all others. */
export function actionsOf(kind: ActivityKind): string[] {
  return Object.keys(kindsOfActions).filter((start) => kind === "account" || kindsOfActions[start] === kind);
}

/** Who did it: one of the account's people by id, its keys, other companies, or the product itself. */
export type ActivityPerson = UserId | "keys" | "others" | "endcap";

/** Which entries are asked for; days are UTC and both included. */
export type ActivityFilter = {
  kind?: ActivityKind | undefined;
  who?: ActivityPerson | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
  q?: string | undefined;
};
