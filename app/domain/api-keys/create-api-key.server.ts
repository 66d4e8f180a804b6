import { and, eq, isNull } from "drizzle-orm";
import { apiKeys } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, OperatorActor, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type AccountId, type ApiKeyId, newId } from "../ids.ts";
import { lockCreation } from "../lock-creation.server.ts";
import { inTransaction } from "../transaction.server.ts";
import { maxApiKeys } from "./api-key.ts";
import { newApiKeySecret } from "./api-key-secret.server.ts";

/**
 * Creates a key of the actor's account, or an operator key. The secret is returned here only. Throws `forbidden` when
 * the request itself uses an API key, `limit_reached` after 50 active keys of the account, and `invalid_transition`
 * when the account is closed.
 */
export async function createApiKey(ctx: Ctx<TenantActor | OperatorActor>, input: { name: string }) {
  const { actor } = ctx;
  const tenant = actor.kind === "operator" ? undefined : actor;
  if (tenant?.apiKeyId)
    throw new DomainError("forbidden", "API keys can't create API keys. Sign in and create one in your profile.");
  return inTransaction(ctx, async (tx) => {
    if (tenant) {
      await requireOpenAccount(tx, tenant.accountId);
      await requireCapacity(tx, tenant.accountId);
    }
    const id = newId<ApiKeyId>();
    const { secret, secretHash, prefix } = newApiKeySecret();
    const createdAt = tx.clock();
    await tx.db.insert(apiKeys).values({
      id,
      accountId: tenant?.accountId,
      role: tenant ? "tenant" : "operator",
      name: input.name,
      secretHash,
      prefix,
      createdBy: tenant?.userId,
      createdAt,
    });
    await recordAudit(tx, {
      action: "api_key.created",
      entity: "api_key",
      entityId: id,
      accountId: tenant?.accountId,
      after: { name: input.name },
    });
    return { key: { id, name: input.name, prefix, createdAt, lastUsedAt: null }, secret };
  });
}

async function requireCapacity(ctx: Ctx, accountId: AccountId): Promise<void> {
  await lockCreation(ctx, "api_keys", accountId);
  const active = await ctx.db.$count(apiKeys, and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
  if (active < maxApiKeys) return;
  throw new DomainError("limit_reached", `You've reached the limit of ${maxApiKeys} API keys. Revoke one first.`);
}
