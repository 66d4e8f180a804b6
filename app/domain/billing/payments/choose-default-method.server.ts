import { eq } from "drizzle-orm";
import { paymentMethods } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { PaymentMethodId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { retryOverdue } from "../subscription/retry-overdue.server.ts";
import { addedElsewhere, methodName } from "./payment-method.ts";
import { isUsable, lockMethods } from "./payment-method-rows.server.ts";

/** Makes a way to pay the default; it was already: nothing changes. Throws `not_found`, `invalid_transition` for another provider's. */
export async function chooseDefaultMethod(ctx: Ctx<TenantActor>, { id }: { id: PaymentMethodId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const known = await lockMethods(tx);
    const row = known.find((one) => one.id === id);
    if (!row) throw notFound("Payment method");
    if (!isUsable(row)) {
      throw new DomainError("invalid_transition", `${methodName(row)} cannot be the default. ${addedElsewhere}`);
    }
    if (row.isDefault) return;
    const before = known.find((one) => one.isDefault);
    if (before) await tx.db.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.id, before.id));
    await tx.db.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.id, id));
    await retryOverdue(tx);
    await recordAudit(tx, {
      action: "payment_method.made_default",
      entity: "payment_method",
      entityId: id,
      accountId: tx.actor.accountId,
      after: { is_default: true },
    });
  });
}
