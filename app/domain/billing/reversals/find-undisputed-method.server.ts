import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { findDefaultMethod, type PaymentMethodRow } from "../payment-methods/payment-method-rows.server.ts";

/**
 * Returns the account's default payment method; undefined when the plan is past due because this method's payment was
 * disputed: a method is not charged again after a dispute unless the publisher asks for it.
 */
export async function findUndisputedMethod(
  ctx: Ctx,
  subscription: SubscriptionRow,
): Promise<PaymentMethodRow | undefined> {
  const method = await findDefaultMethod(ctx, subscription.accountId);
  if (!method || !subscription.paymentReversedAt) return method;
  const disputed = await ctx.db.execute(sql`
    select from payment_reversals reversal join plan_changes paid on paid.id = reversal.plan_change_id
    where paid.subscription_id = ${subscription.id} and paid.payment_method_id = ${method.id} and reversal.reason = 'dispute'
    having sum(reversal.amount_cents) > 0`);
  return disputed.length > 0 ? undefined : method;
}
