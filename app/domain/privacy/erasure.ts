/** The erasure of a person's data, and with the last person of an account the closing of the account. Pure. */

/** From the request until it is carried out, so that it can be canceled. */
export const erasureDelayDays = 7;

export const erasureRequesters = ["person", "operator"] as const;
export type ErasureRequester = (typeof erasureRequesters)[number];

/** What an account has to end before it can be closed. */
export const erasureBlockers = ["running_campaigns", "balance", "debt", "earnings", "plan", "payments"] as const;
export type ErasureBlocker = (typeof erasureBlockers)[number];

export const erasureBlockerTexts: Record<ErasureBlocker, string> = {
  running_campaigns: "Campaigns are running or under review. End them, or wait until they have ended.",
  balance: "Your wallet has a balance. Reply to any of our emails to have it returned.",
  debt: "Spend is not settled or invoiced amounts are not paid yet.",
  earnings: "Earnings are not paid out yet. Request a payout on the Revenue page.",
  plan: "Your plan is active. Cancel it on the Billing page; it ends with its paid period.",
  payments: "A payment is processing.",
};
