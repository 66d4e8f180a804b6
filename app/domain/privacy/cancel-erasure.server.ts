import { and, eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, OperatorActor, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { UserId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { erasures, users } from "#db/schema/index.ts";
import { isOpenErasure } from "./find-erasure.server.ts";

/**
 * Cancels a person's open request. Returns whether there was one. Throws `invalid_transition` once it is due: the work
 * begins with the account's files, drafts and cards, which do not come back.
 */
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
    const now = tx.clock();
    const open = and(eq(erasures.userId, userId), isOpenErasure);
    const [erasure] = person
      ? await tx.db.select({ dueAt: erasures.dueAt }).from(erasures).where(open).for("update")
      : [];
    if (!person || !erasure) return { changed: false };
    if (erasure.dueAt <= now)
      throw new DomainError("invalid_transition", "The erasure has begun and can no longer be canceled.");
    await tx.db.update(erasures).set({ canceledAt: now }).where(open);
    await recordAudit(tx, {
      action: "user.erasure_canceled",
      entity: "user",
      entityId: userId,
      ...(person.accountId && { accountId: person.accountId }),
    });
    return { changed: true };
  });
}
