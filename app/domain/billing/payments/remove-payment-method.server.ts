import { and, eq, isNull } from "drizzle-orm";
import { SealError } from "#app/sealed.server.ts";
import { paymentMethods, planChanges, topUps } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { PaymentMethodId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { askProvider } from "./ask-provider.server.ts";
import { isUsable, lockMethods, type PaymentMethodRow, tokenOf } from "./payment-method-rows.server.ts";
import { paymentProvider } from "./provider-of.server.ts";

/**
 * Removes a way to pay; its token is forgotten, here and at the provider, if it is the one who takes money here. The newest other one becomes the default where it
 * was the default. Throws `not_found`, `invalid_transition` while nobody knows yet whether it was charged, `unavailable`.
 */
export async function removePaymentMethod(ctx: Ctx<TenantActor>, { id }: { id: PaymentMethodId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const known = await lockMethods(tx);
    const row = known.find((one) => one.id === id);
    if (!row) throw notFound("Payment method");
    await refuseWhileCharged(tx, id);
    const next = row.isDefault ? known.find((one) => one.id !== id && isUsable(one)) : undefined;
    await tx.db.update(paymentMethods).set({ token: null, isDefault: false }).where(eq(paymentMethods.id, id));
    if (next) await tx.db.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.id, next.id));
    await recordAudit(tx, {
      action: "payment_method.removed",
      entity: "payment_method",
      entityId: id,
      accountId: tx.actor.accountId,
      before: { brand: row.brand, last_four: row.lastFour, is_default: row.isDefault },
    });
    const token = isUsable(row) ? openToken(row) : undefined;
    if (token) await askProvider(() => paymentProvider(tx).forgetMethod(token));
  });
}

/** Without its token a charge of which no answer came cannot be asked about again: what was taken would be in no wallet, and no plan. */
async function refuseWhileCharged(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<void> {
  const unknownIn = (table: typeof topUps | typeof planChanges) => {
    const own = and(eq(table.accountId, ctx.actor.accountId), eq(table.paymentMethodId, id));
    return ctx.db.$count(table, and(own, eq(table.status, "pending"), isNull(table.paymentId)));
  };
  if ((await unknownIn(topUps)) + (await unknownIn(planChanges)) === 0) return;
  throw new DomainError("invalid_transition", "A payment with it is on its way. Remove it when that is over.");
}

/** One that was sealed with another key cannot be named to the provider any more; it is forgotten all the same. */
function openToken(row: PaymentMethodRow): string | undefined {
  try {
    return tokenOf(row);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
