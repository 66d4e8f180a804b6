import { eq } from "drizzle-orm";
import { planChanges, subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { newId, type PlanChangeId } from "../../ids.ts";
import { type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import { refuseOpenChange, settleOpenChange } from "./end-open-change.server.ts";
import { findChangeByKey } from "./find-plan-change.server.ts";
import { type FinishedChange, finishPlanChange } from "./finish-plan-change.server.ts";
import { insertPayment, requireMethod } from "./insert-payment.server.ts";
import { lockPlan } from "./lock-plan.server.ts";
import { netFromEarnings } from "./net-from-earnings.server.ts";
import type { PlanQuote } from "./plan-quote.ts";
import { quoteNow } from "./quote-plan.server.ts";

type PlanChoice = {
  planType: PlanType;
  /** What makes a repetition one: the same key is the same choice, for ever. */
  key: string;
  /** What the publisher was told that it costs at once; another price by now is said first. */
  amount?: Cents;
  /** Where somebody comes back to who was asked to confirm. */
  returnPath: (id: PlanChangeId) => `/${string}`;
};

/**
 * Chooses a plan: the first begins with its payment, a larger one is paid for the days left and holds at once, a smaller one
 * from the period's end on, and choosing the one that one has takes back what was to happen then. What costs something is
 * paid from earnings at once where that is chosen and they cover it (docs/decisions/0041); else it is written down, then the provider is
 * asked outside any transaction, then what came of it is written (docs/decisions/0034).
 * A payment that fails changes nothing and is an answer too. Throws `limit_reached` for a plan too small for what runs,
 * `invalid_transition` without a way to pay or while a payment is open, `invalid_input` at another price, `idempotency_conflict`,
 * `unavailable`.
 */
export async function changePlan(
  ctx: Ctx<PublisherActor>,
  input: PlanChoice,
): Promise<FinishedChange & { repeated: boolean }> {
  const known = await findChangeByKey(ctx, input);
  if (!known) await settleOpenChange(ctx);
  const { id, repeated } = known ? { id: known, repeated: true } : await beginChange(ctx, input);
  return { ...(await finishPlanChange(ctx, { id })), repeated };
}

async function beginChange(
  ctx: Ctx<PublisherActor>,
  input: PlanChoice,
): Promise<{ id: PlanChangeId; repeated: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const held = await lockPlan(tx, accountId);
    const before = await findChangeByKey(tx, input);
    if (before) return { id: before, repeated: true };
    await refuseOpenChange(tx);
    const quote = await quoteNow(tx, { planType: input.planType, held });
    refuse(quote, { held, told: input.amount });
    const id = newId<PlanChangeId>();
    const { key, planType } = input;
    if (quote.amount === 0 && held) await changeForNothing(tx, { id, held, quote, input });
    else {
      const { kind, amount } = quote;
      const words = kind === "start" ? `${plans[planType].label} plan` : `Upgrade to the ${plans[planType].label} plan`;
      const payment = {
        id,
        accountId,
        kind,
        planType,
        amount,
        key,
        words,
        returnPath: input.returnPath(id),
        subscriptionId: held?.id ?? null,
        periodStartedAt: held?.periodStartedAt ?? null,
      };
      const netted = await netFromEarnings(tx, payment);
      if (!netted) await insertPayment(tx, { ...payment, method: await requireMethod(tx) });
    }
    return { id, repeated: false };
  });
}

function refuse(
  quote: PlanQuote,
  { held, told }: { held: SubscriptionRow | undefined; told: Cents | undefined },
): void {
  if (quote.refusal) {
    throw new DomainError(held?.status === "past_due" ? "invalid_transition" : "limit_reached", quote.refusal);
  }
  if (told === undefined || told === quote.amount || quote.kind === "keep") return;
  const words = `This costs ${formatCents(quote.amount)} now, not ${formatCents(told)}. Look at it and choose it again.`;
  throw invalidInput({ amount: [words] }, words);
}

/** A smaller plan from the period's end on, or the same one after all. */
async function changeForNothing(
  ctx: Ctx<PublisherActor>,
  { id, held, quote, input }: { id: PlanChangeId; held: SubscriptionRow; quote: PlanQuote; input: PlanChoice },
): Promise<void> {
  const { kind, planType } = quote;
  const nextPlanType = kind === "downgrade" ? planType : null;
  await ctx.db
    .update(subscriptions)
    .set({ nextPlanType, cancelAtPeriodEnd: false })
    .where(eq(subscriptions.id, held.id));
  await ctx.db.insert(planChanges).values({
    id,
    accountId: held.accountId,
    subscriptionId: held.id,
    kind,
    planType,
    status: "succeeded",
    amountCents: 0,
    periodStartedAt: held.periodStartedAt,
    idempotencyKey: input.key,
    returnPath: input.returnPath(id),
    createdAt: ctx.clock(),
  });
  const unchanged = kind === "keep" && !held.nextPlanType && !held.cancelAtPeriodEnd;
  if (unchanged) return;
  await recordAudit(ctx, {
    action: kind === "downgrade" ? "subscription.downgrade_scheduled" : "subscription.kept",
    entity: "subscription",
    entityId: held.id,
    accountId: held.accountId,
    before: {
      plan_type: held.planType,
      next_plan_type: held.nextPlanType,
      cancel_at_period_end: held.cancelAtPeriodEnd,
    },
    after: { next_plan_type: nextPlanType, cancel_at_period_end: false, ends_at: held.periodEndsAt.toISOString() },
  });
}
