import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { findDefaultMethod, type PaymentMethodRow } from "../payment-methods/payment-method-rows.server.ts";
import { renewalKeyPrefix } from "../subscription/plan-change.ts";

/** A payment method to charge, or why there is none. */
export type MethodToCharge = { method: PaymentMethodRow } | { method: undefined; failure: string };

export const missingMethodReason = "There is no valid payment method to charge. Add one and pay again.";
const disputedMethodReason =
  "Your bank disputed a payment with your default payment method, so it is charged only when you pay now. You can also add another one.";

/**
 * Returns the account's default payment method for an automatic charge; none when a payment with it is disputed and the
 * publisher has not paid with it since: a method is not charged again after a dispute unless the publisher asks for it.
 */
export async function findUndisputedMethod(ctx: Pick<Ctx, "db">, accountId: AccountId): Promise<MethodToCharge> {
  const method = await findDefaultMethod(ctx, accountId);
  if (!method) return { method: undefined, failure: missingMethodReason };
  const disputed = await ctx.db.execute(sql`
    select from payment_reversals reversal join plan_changes paid on paid.id = reversal.plan_change_id
    where paid.account_id = ${accountId} and paid.payment_method_id = ${method.id} and reversal.reason = 'dispute'
    group by reversal.reference
    having sum(reversal.amount_cents) > 0 and max(reversal.created_at) >= coalesce((select max(requested.created_at) from plan_changes requested
      where requested.account_id = ${accountId} and requested.payment_method_id = ${method.id} and requested.status = 'succeeded'
        and not starts_with(requested.idempotency_key, ${renewalKeyPrefix})), '-infinity')
    limit 1`);
  return disputed.length > 0 ? { method: undefined, failure: disputedMethodReason } : { method };
}
