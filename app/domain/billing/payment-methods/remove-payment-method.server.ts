import { and, eq, isNull } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { callProvider } from "#app/domain/billing/charges/call-provider.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError, notFound } from "#app/domain/errors.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { paymentMethods, planChanges, topUps } from "#db/schema/index.ts";
import { decryptTokenIfPossible, getMethodRow, isUsable, lockMethods } from "./payment-method-rows.server.ts";

/**
 * Removes a payment method and deletes its token, also at the provider if that is the current one. If it was the
 * default, the newest other usable method becomes the default. Throws `not_found`, `invalid_transition` while the
 * outcome of a charge is unknown, `unavailable`. No transaction waits for the provider: a removal that ends between the
 * two can be repeated, and the provider's event about the detached method repeats it too (`syncPaymentMethod`).
 */
export async function removePaymentMethod(ctx: Ctx<TenantActor>, { id }: { id: PaymentMethodId }): Promise<void> {
  const method = await getMethodRow(ctx, id);
  await requireNoUnresolvedCharge(ctx, id);
  // A method whose token cannot be decrypted is removed all the same, but not detached at the provider.
  const token = isUsable(method) ? decryptTokenIfPossible(method) : undefined;
  if (token) await callProvider(() => paymentProvider(ctx).detachMethod(token));
  await inTransaction(ctx, async (tx) => {
    const known = await lockMethods(tx);
    const row = known.find((one) => one.id === id);
    if (!row) throw notFound("Payment method");
    // A charge may have begun meanwhile.
    await requireNoUnresolvedCharge(tx, id);
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
  });
}

/**
 * Throws `invalid_transition` while a charge of this method has no response: without the token the provider cannot be
 * asked again, and the money would be in no wallet and no plan.
 */
async function requireNoUnresolvedCharge(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<void> {
  const countUnresolved = (table: typeof topUps | typeof planChanges) => {
    const own = and(eq(table.accountId, ctx.actor.accountId), eq(table.paymentMethodId, id));
    return ctx.db.$count(table, and(own, eq(table.status, "pending"), isNull(table.paymentId)));
  };
  if ((await countUnresolved(topUps)) + (await countUnresolved(planChanges)) === 0) return;
  throw new DomainError(
    "invalid_transition",
    "A payment is processing with this method. Remove it after the payment completes.",
  );
}
