import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { PlanChangeId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { refuseOpenChange, settleOpenChange } from "./end-open-change.server.ts";
import { findChangeByKey } from "./find-plan-change.server.ts";
import { type FinishedChange, finishPlanChange } from "./finish-plan-change.server.ts";
import { requireMethod } from "./insert-payment.server.ts";
import { lockPlan } from "./lock-plan.server.ts";
import { beginRenewal } from "./renew-subscription.server.ts";

type PayNow = { key: string; returnPath: (id: PlanChangeId) => `/${string}` };

/**
 * Pays for a plan that is past due with the default method, once for a key. One that is declined is an answer too, and the tries by
 * themselves go on as they were. Throws `invalid_transition` where nothing is open or there is nothing to pay with, `unavailable`.
 */
export async function payOverdue(ctx: Ctx<PublisherActor>, input: PayNow): Promise<FinishedChange> {
  const known = await findChangeByKey(ctx, input);
  if (!known) await settleOpenChange(ctx);
  const id = known ?? (await inTransaction(ctx, (tx) => begin(tx, input)));
  return finishPlanChange(ctx, { id });
}

async function begin(ctx: Ctx<PublisherActor>, { key, returnPath }: PayNow): Promise<PlanChangeId> {
  const held = await lockPlan(ctx, ctx.actor.accountId);
  const before = await findChangeByKey(ctx, { key });
  if (before) return before;
  if (held?.status !== "past_due") {
    throw new DomainError("invalid_transition", "No payment for a plan is open.");
  }
  await refuseOpenChange(ctx);
  return beginRenewal(ctx, { held, method: () => requireMethod(ctx), key, returnPath });
}
