/** Enumerations, labels and limits of the stores that a catalog is synced with. Pure. */
export const storeKinds = ["shopify", "woocommerce", "feed"] as const;
export type StoreKind = (typeof storeKinds)[number];
export const storeKindLabels: Record<StoreKind, string> = {
  shopify: "Shopify",
  woocommerce: "WooCommerce",
  feed: "Product feed",
};

export const syncFrequencies = ["hourly", "daily", "weekly", "manual"] as const;
export type SyncFrequency = (typeof syncFrequencies)[number];
export const syncFrequencyLabels: Record<SyncFrequency, string> = {
  hourly: "Every hour",
  daily: "Every day",
  weekly: "Every week",
  manual: "Manually",
};

/** The maximum number of connected stores per account. */
export const maxStores = 10;

/**
 * Why a store did not return the requested data. `invalid_credentials`: it rejected the credentials; `missing_scope`:
 * they lack a permission; `store_not_found`: no such store responds at the URL; `unsupported_currency`; `rate_limited`:
 * rate limited for longer than the retries wait; `unreachable`; `unexpected_response`: the response does not match its
 * documentation; `cannot_decrypt`: this server cannot decrypt the stored credentials; `too_large`: it has more products
 * than a file may have rows, or its feed is too large. Of a feed: `forbidden_address`: its URL, or one that it
 * redirects to, is not public; `timed_out`; `not_a_feed`: what the URL returns is no table and no product feed.
 */
export const storeProblems = [
  "invalid_credentials",
  "missing_scope",
  "store_not_found",
  "unsupported_currency",
  "rate_limited",
  "unreachable",
  "unexpected_response",
  "cannot_decrypt",
  "forbidden_address",
  "timed_out",
  "too_large",
  "not_a_feed",
] as const;
export type StoreProblem = (typeof storeProblems)[number];

const problemMessages: Record<StoreProblem, string> = {
  invalid_credentials: "rejected the credentials",
  missing_scope: "denied access: the key needs permission to read products",
  store_not_found: "was not found at this URL",
  unsupported_currency: "uses a currency other than US dollars, and prices are never converted",
  rate_limited: "is rate limiting our requests",
  unreachable: "could not be reached",
  unexpected_response: "returned an unexpected response",
  cannot_decrypt: "must be reconnected because its stored credentials can't be decrypted",
  forbidden_address: "leads to an address that is not public, or not encrypted",
  timed_out: "did not arrive completely within the time limit",
  too_large: "has more than 250,000 products or 50 MB",
  not_a_feed: "is not a product feed: it must be CSV, TSV, XLSX or XML with one row or item for each product",
};

/** Describes the problem as a predicate, for a sentence that starts with the store's name. */
export function describeStoreProblem(problem: StoreProblem): string {
  return problemMessages[problem];
}

/** What to do about a store that is `too_large`. */
export const uploadStoreInParts = "Upload its products in several files instead.";

/** Why a sync was not started. */
export const alreadySyncing = "This store is already syncing";
/** Why a sync ended. */
export const disconnectedDuringSync = "The store was disconnected during the sync. Your catalog was not changed.";

const hour = 60 * 60 * 1000;
const hours: Record<Exclude<SyncFrequency, "manual">, number> = { hourly: 1, daily: 24, weekly: 7 * 24 };

/** Returns when a store is synced next after `now`; null for manual syncs. */
export function nextSync(frequency: SyncFrequency, now: Date): Date | null {
  return frequency === "manual" ? null : new Date(now.getTime() + hours[frequency] * hour);
}
