import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { findDefaultMethod, type PaymentMethodRow } from "../payment-methods/payment-method-rows.server.ts";
import { renewalKeyPrefix } from "../subscription/plan-change.ts";

/**
 * Returns the account's default payment method for an automatic charge; undefined when a payment with it is disputed and
 * the publisher has not paid with it since: a method is not charged again after a dispute unless the publisher asks for it.
 */
export async function findUndisputedMethod(ctx: Ctx, accountId: AccountId): Promise<PaymentMethodRow | undefined> {
  const method = await findDefaultMethod(ctx, accountId);
  if (!method) return undefined;
  const disputed = await ctx.db.execute(sql`
    select from payment_reversals reversal join plan_changes paid on paid.id = reversal.plan_change_id
    where paid.account_id = ${accountId} and paid.payment_method_id = ${method.id} and reversal.reason = 'dispute'
    group by reversal.reference
    having sum(reversal.amount_cents) > 0 and max(reversal.created_at) >= coalesce((select max(requested.created_at) from plan_changes requested
      where requested.account_id = ${accountId} and requested.payment_method_id = ${method.id} and requested.status = 'succeeded'
        and not starts_with(requested.idempotency_key, ${renewalKeyPrefix})), '-infinity')
    limit 1`);
  return disputed.length > 0 ? undefined : method;
}
