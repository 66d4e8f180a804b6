import { hashSecret } from "#app/domain/accounts/secrets.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import type { CostClass, Payer } from "#app/web/rate-limits/budgets.ts";
import { payersOfViewer } from "#app/web/rate-limits/payers.ts";
import { requireBudget, spendBudgets } from "#app/web/rate-limits/spend-budgets.server.ts";
import { type Caller, type Identified, identify, type Visit } from "./callers.server.ts";

/** Hashes of keys that were good lately: they are not stopped by the wrong keys of others at their address. */
const goodKeys = new Set<string>();
const maxGoodKeys = 10_000;

/**
 * Has a call paid for before it is done: by the key or the person and their account, by the address where nobody is known. Keys that are
 * not known are counted by address, and past their budget no key from there is looked up. Throws `rate_limited`, and what `identify` does.
 */
export async function limitCall(visit: Visit, { cost, caller }: { cost: CostClass; caller: Caller }): Promise<void> {
  if (!env().rateLimits) return;
  const { request, context } = visit;
  const address: Payer = { kind: "address", id: context.clientAddress };
  const authorization = request.headers.get("Authorization");
  if (caller === "visitor" || cost === "sign_in") return spendBudgets(context, cost, [address]);
  const keyHash = authorization === null ? undefined : hashSecret(authorization);
  if (keyHash !== undefined && !goodKeys.has(keyHash)) requireBudget(context, "wrong_key", address);
  const identified = await identify(visit).catch(async (error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "unauthenticated") throw error;
    if (keyHash !== undefined) goodKeys.delete(keyHash);
    await spendBudgets(context, keyHash === undefined ? cost : "wrong_key", [address]);
    throw error;
  });
  if (keyHash !== undefined) rememberGood(keyHash);
  await spendBudgets(context, cost, payersOf(identified));
}

function rememberGood(keyHash: string): void {
  if (goodKeys.size >= maxGoodKeys) goodKeys.clear();
  goodKeys.add(keyHash);
}

function payersOf({ viewer, holder }: Identified): Payer[] {
  if (viewer) return payersOfViewer(viewer);
  if (!holder) return [];
  const key: Payer = { kind: "key", id: holder.keyId };
  return holder.role === "tenant" ? [key, { kind: "account", id: holder.account.id }] : [key];
}
