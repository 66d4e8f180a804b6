import { and, eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, OperatorActor, TenantActor } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { erasures, users } from "#db/schema/index.ts";
import { isOpenErasure } from "./find-erasure.server.ts";

/** Cancels a person's open request. Returns whether there was one. */
export async function cancelErasure(
  ctx: Ctx<TenantActor | OperatorActor>,
  { userId }: { userId: UserId },
): Promise<{ changed: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const ownAccount = "accountId" in tx.actor ? eq(users.accountId, tx.actor.accountId) : undefined;
    const [person] = await tx.db
      .select({ accountId: users.accountId })
      .from(users)
      .where(and(eq(users.id, userId), ownAccount));
    const canceled =
      person &&
      (await tx.db
        .update(erasures)
        .set({ canceledAt: tx.clock() })
        .where(and(eq(erasures.userId, userId), isOpenErasure))
        .returning({ id: erasures.id }));
    if (!canceled || canceled.length === 0) return { changed: false };
    await recordAudit(tx, {
      action: "user.erasure_canceled",
      entity: "user",
      entityId: userId,
      ...(person.accountId && { accountId: person.accountId }),
    });
    return { changed: true };
  });
}
