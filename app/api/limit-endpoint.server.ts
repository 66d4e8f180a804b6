import { hashSecret } from "#app/domain/accounts/secrets.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import type { CostClass, Payer } from "#app/web/rate-limits/budgets.ts";
import { payersOfViewer } from "#app/web/rate-limits/payers.ts";
import { requireBudget, spendBudgets } from "#app/web/rate-limits/spend-budgets.server.ts";
import { type ApiRequest, type AuthenticatedCaller, authenticateRequest, type EndpointAccess } from "./auth.server.ts";

/** Hashes of recently valid keys, which failed attempts with other keys from the same IP address must not block. */
const validKeyHashes = new Set<string>();
const maxValidKeys = 10_000;

/**
 * Charges the rate limit before the endpoint runs: by key, or by person and account, or by IP address if the caller is
 * unknown. Invalid keys count against their IP address; once that budget is spent, no key from there is looked up.
 * Throws `rate_limited` and what `authenticateRequest` throws.
 */
export async function limitCall(
  apiRequest: ApiRequest,
  { cost, access }: { cost: CostClass; access: EndpointAccess },
): Promise<void> {
  if (!env().rateLimits) return;
  const { head, context } = apiRequest;
  const address: Payer = { kind: "address", id: context.clientAddress };
  const authorization = head.headers.get("Authorization");
  if (access === "visitor" || cost === "sign_in") return spendBudgets(context, cost, [address]);
  const keyHash = authorization === null ? undefined : hashSecret(authorization);
  if (keyHash !== undefined && !validKeyHashes.has(keyHash)) requireBudget(context, "wrong_key", address);
  const identified = await authenticateRequest(apiRequest).catch(async (error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "unauthenticated") throw error;
    if (keyHash !== undefined) validKeyHashes.delete(keyHash);
    await spendBudgets(context, keyHash === undefined ? cost : "wrong_key", [address]);
    throw error;
  });
  if (keyHash !== undefined) rememberValid(keyHash);
  await spendBudgets(context, cost, payersOf(identified));
}

function rememberValid(keyHash: string): void {
  if (validKeyHashes.size >= maxValidKeys) validKeyHashes.clear();
  validKeyHashes.add(keyHash);
}

function payersOf({ viewer, holder }: AuthenticatedCaller): Payer[] {
  if (viewer) return payersOfViewer(viewer);
  if (!holder) return [];
  const key: Payer = { kind: "key", id: holder.keyId };
  return holder.role === "tenant" ? [key, { kind: "account", id: holder.account.id }] : [key];
}
