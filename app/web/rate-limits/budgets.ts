/** What a request costs us: each class has budgets of its own. */
export type CostClass = "read" | "page" | "write" | "event" | "costly" | "sign_in" | "wrong_key";

/** Whose budget it is: a visitor's by address, a signed-in person's, a key's; and that of the account they all work for. */
type PayerKind = "address" | "person" | "key" | "account";
export type Payer = { kind: PayerKind; id: string };

/** All budgets refill in the course of a minute. */
export const budgetSeconds = 60;

/**
 * Requests at once, and again in the course of a minute (docs/decisions/0057). An address may stand for a whole office, and an
 * account for all its people and keys.
 */
const quotas: Record<CostClass, Record<PayerKind, number>> = {
  read: { address: 600, person: 600, key: 3_000, account: 6_000 },
  page: { address: 600, person: 300, key: 300, account: 3_000 },
  write: { address: 120, person: 120, key: 120, account: 600 },
  // What a program sends for each of a store's customers.
  event: { address: 600, person: 3_000, key: 6_000, account: 12_000 },
  costly: { address: 60, person: 60, key: 60, account: 300 },
  sign_in: { address: 60, person: 60, key: 60, account: 300 },
  wrong_key: { address: 60, person: 60, key: 60, account: 60 },
};

export function quotaOf(cost: CostClass, kind: PayerKind, factor: number): number {
  return Math.max(1, Math.round(quotas[cost][kind] * factor));
}

/** What a process spends by itself before it asks the others, and what it draws at once then. */
export function lotOf(quota: number): number {
  return Math.max(1, Math.floor(quota / 10));
}
