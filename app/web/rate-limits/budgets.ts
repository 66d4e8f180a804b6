/** The cost class of a request: each class has its own budgets. */
export type CostClass = "read" | "page" | "write" | "event" | "costly" | "sign_in" | "wrong_key";

/**
 * Who pays: a visitor by IP address, a signed-in person, an API key, and in addition the account of a person or key.
 */
type PayerKind = "address" | "person" | "key" | "account";
export type Payer = { kind: PayerKind; id: string };

/** The seconds in which an empty budget refills completely. */
export const budgetSeconds = 60;

/**
 * The number of requests allowed in a burst, and per minute (docs/decisions/0057). An IP address may be a whole office,
 * and an account covers all its people and keys.
 */
const quotas: Record<CostClass, Record<PayerKind, number>> = {
  read: { address: 600, person: 600, key: 3_000, account: 6_000 },
  page: { address: 600, person: 300, key: 300, account: 3_000 },
  write: { address: 120, person: 120, key: 120, account: 600 },
  // An integration sends one event per customer of a store.
  event: { address: 600, person: 3_000, key: 6_000, account: 12_000 },
  costly: { address: 60, person: 60, key: 60, account: 300 },
  sign_in: { address: 60, person: 60, key: 60, account: 300 },
  wrong_key: { address: 60, person: 60, key: 60, account: 60 },
};

export function scaleQuota(cost: CostClass, kind: PayerKind, factor: number): number {
  return Math.max(1, Math.round(quotas[cost][kind] * factor));
}

/**
 * Returns the tokens that a process may spend locally before it draws from the shared budget, which is also the size of
 * each draw.
 */
export function lotSize(quota: number): number {
  return Math.max(1, Math.floor(quota / 10));
}
