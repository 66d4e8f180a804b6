/** The vocabulary of shops that a catalogue is fetched from. Pure. */
export const storeKinds = ["shopify", "woocommerce"] as const;
export type StoreKind = (typeof storeKinds)[number];
export const storeKindLabels: Record<StoreKind, string> = { shopify: "Shopify", woocommerce: "WooCommerce" };

export const syncFrequencies = ["hourly", "daily", "weekly", "manual"] as const;
export type SyncFrequency = (typeof syncFrequencies)[number];
export const syncFrequencyLabels: Record<SyncFrequency, string> = {
  hourly: "Every hour",
  daily: "Every day",
  weekly: "Every week",
  manual: "Only by hand",
};

/** So many shops an account can have. */
export const mostStores = 10;

/**
 * Why a shop did not give what it was asked for. `refused`: it does not take the credentials; `not_allowed`: they lack a
 * right; `not_a_shop`: nothing there answers as such a shop does; `other_currency`; `busy`: its limits are used up for
 * longer than we wait; `unreachable`; `unreadable`: not as its documentation says; `sealed`: this server cannot open the
 * stored credentials.
 */
export const storeProblems = [
  "refused",
  "not_allowed",
  "not_a_shop",
  "other_currency",
  "busy",
  "unreachable",
  "unreadable",
  "sealed",
] as const;
export type StoreProblem = (typeof storeProblems)[number];

const words: Record<StoreProblem, string> = {
  refused: "does not accept the credentials",
  not_allowed: "does not allow these credentials to read products",
  not_a_shop: "is not found at this address",
  other_currency: "has prices in another currency than US dollars",
  busy: "has no requests left for us at the moment",
  unreachable: "could not be reached",
  unreadable: "answered in a way we do not understand",
  sealed: "has to be connected again: its stored credentials cannot be opened",
};

/** What the shop did, as the end of a sentence that begins with its name. */
export function wordsOfStoreProblem(problem: StoreProblem): string {
  return words[problem];
}

const hour = 60 * 60 * 1000;
const hours: Record<Exclude<SyncFrequency, "manual">, number> = { hourly: 1, daily: 24, weekly: 7 * 24 };

/** When a shop is fetched again after it was fetched `now`; null when that is left to people. */
export function nextSync(frequency: SyncFrequency, now: Date): Date | null {
  return frequency === "manual" ? null : new Date(now.getTime() + hours[frequency] * hour);
}
