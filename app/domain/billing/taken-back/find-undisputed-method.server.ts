import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { findDefaultMethodOf, type PaymentMethodRow } from "../payments/payment-method-rows.server.ts";

/**
 * The default way to pay of a plan's account; none where its payment is open because this one's bank took it back: who disputed a
 * payment is not charged again without asking for it.
 */
export async function findUndisputedMethod(ctx: Ctx, held: SubscriptionRow): Promise<PaymentMethodRow | undefined> {
  const method = await findDefaultMethodOf(ctx, held.accountId);
  if (!method || !held.takenBackAt) return method;
  const disputed = await ctx.db.execute(sql`
    select from payments_taken_back taken join plan_changes paid on paid.id = taken.plan_change_id
    where paid.subscription_id = ${held.id} and paid.payment_method_id = ${method.id} and taken.reason = 'dispute'
    having sum(taken.amount_cents) > 0`);
  return disputed.length > 0 ? undefined : method;
}
