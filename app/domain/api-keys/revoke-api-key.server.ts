import { and, eq, isNull } from "drizzle-orm";
import { apiKeys } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, OperatorActor, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { ApiKeyId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";

/**
 * Revokes one of the actor's keys from the next request on. Does nothing when it is revoked already. Throws
 * `not_found`.
 */
export async function revokeApiKey(ctx: Ctx<TenantActor | OperatorActor>, input: { id: ApiKeyId }): Promise<void> {
  const { actor } = ctx;
  const accountId = actor.kind === "operator" ? undefined : actor.accountId;
  const own = and(
    eq(apiKeys.id, input.id),
    accountId ? eq(apiKeys.accountId, accountId) : and(isNull(apiKeys.accountId), eq(apiKeys.role, "operator")),
  );
  await inTransaction(ctx, async (tx) => {
    const revoked = await tx.db
      .update(apiKeys)
      .set({ revokedAt: tx.clock() })
      .where(and(own, isNull(apiKeys.revokedAt)))
      .returning({ name: apiKeys.name });
    if (revoked.length === 0) {
      if ((await tx.db.$count(apiKeys, own)) === 0) throw notFound("API key");
      return;
    }
    await recordAudit(tx, {
      action: "api_key.revoked",
      entity: "api_key",
      entityId: input.id,
      accountId,
      before: { name: revoked[0]?.name },
    });
  });
}
