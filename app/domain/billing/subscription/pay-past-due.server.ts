import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { PlanChangeId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { requireDefaultMethod } from "./create-plan-payment.server.ts";
import { findChangeByKey } from "./find-plan-change.server.ts";
import { finishPlanChange, type PlanChangeResult } from "./finish-plan-change.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";
import { startRenewal } from "./renew-subscription.server.ts";
import { requireNoOpenChange, resolveOpenChange } from "./resolve-open-change.server.ts";

type PayNow = { key: string; returnPath: (id: PlanChangeId) => `/${string}` };

/**
 * Pays for a past-due plan with the default payment method, once per key. A declined payment is a result too and does
 * not change the automatic retries. Throws `invalid_transition` when nothing is due or there is no payment method,
 * `unavailable`.
 */
export async function payPastDue(ctx: Ctx<PublisherActor>, input: PayNow): Promise<PlanChangeResult> {
  const known = await findChangeByKey(ctx, input);
  if (!known) await resolveOpenChange(ctx);
  const id = known ?? (await inTransaction(ctx, (tx) => startPayment(tx, input)));
  return finishPlanChange(ctx, { id });
}

async function startPayment(ctx: Ctx<PublisherActor>, { key, returnPath }: PayNow): Promise<PlanChangeId> {
  const subscription = await lockSubscription(ctx, ctx.actor.accountId);
  const before = await findChangeByKey(ctx, { key });
  if (before) return before;
  if (subscription?.status !== "past_due") {
    throw new DomainError("invalid_transition", "No plan payment is due");
  }
  await requireNoOpenChange(ctx, ctx.actor.accountId);
  const method = async () => ({ method: await requireDefaultMethod(ctx) });
  return startRenewal(ctx, { subscription, method, key, returnPath });
}
