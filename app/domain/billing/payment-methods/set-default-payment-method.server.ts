import { eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError, notFound } from "#app/domain/errors.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { paymentMethods } from "#db/schema/index.ts";
import { retryPastDue } from "../subscription/retry-past-due.server.ts";
import { methodName, otherProviderMessage } from "./payment-method.ts";
import { isUsable, lockMethods } from "./payment-method-rows.server.ts";

/**
 * Makes a payment method the default. No effect when it already is. Throws `not_found`, and `invalid_transition` for a
 * method of another provider.
 */
export async function setDefaultPaymentMethod(ctx: Ctx<TenantActor>, { id }: { id: PaymentMethodId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const known = await lockMethods(tx);
    const row = known.find((one) => one.id === id);
    if (!row) throw notFound("Payment method");
    if (!isUsable(row)) {
      throw new DomainError("invalid_transition", `${methodName(row)} can't be the default. ${otherProviderMessage}`);
    }
    if (row.isDefault) return;
    const before = known.find((one) => one.isDefault);
    if (before) await tx.db.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.id, before.id));
    await tx.db.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.id, id));
    await retryPastDue(tx);
    await recordAudit(tx, {
      action: "payment_method.made_default",
      entity: "payment_method",
      entityId: id,
      accountId: tx.actor.accountId,
      after: { is_default: true },
    });
  });
}
