import { eq } from "drizzle-orm";
import { planChanges, subscriptions } from "#db/schema/index.ts";
import { requireOpenAccount } from "../../accounts/require-open-account.server.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { newId, type PlanChangeId } from "../../ids.ts";
import { type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import { createPlanPayment, requireDefaultMethod } from "./create-plan-payment.server.ts";
import { findChangeByKey } from "./find-plan-change.server.ts";
import { finishPlanChange, type PlanChangeResult } from "./finish-plan-change.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";
import { offsetAgainstEarnings } from "./offset-against-earnings.server.ts";
import type { PlanQuote } from "./plan-quote.ts";
import { quotePlanFor } from "./quote-plan.server.ts";
import { requireNoOpenChange, resolveOpenChange } from "./resolve-open-change.server.ts";

type PlanChoice = {
  planType: PlanType;
  /** The idempotency key: the same key means the same choice, forever. */
  key: string;
  /** The price that the publisher saw. The choice is rejected if the price has changed since. */
  amount?: Cents;
  /** The page that the user returns to after confirming the payment. */
  returnPath: (id: PlanChangeId) => `/${string}`;
};

/**
 * Changes the plan. The first plan begins with its payment. An upgrade is charged for the days left and applies
 * immediately. A downgrade applies from the end of the period. Choosing the current plan undoes a scheduled change. A
 * price is offset against earnings at once if the publisher chose that and the earnings cover it (docs/decisions/0041).
 * Otherwise the payment is stored, then the provider is called outside any transaction, then the outcome is stored
 * (docs/decisions/0034). A failed payment changes nothing and is a result too. Throws `limit_reached` for a plan that
 * is too small for the running campaigns, `invalid_transition` without a payment method, while a payment is processing,
 * when the next period has not started or the account is closed, `invalid_input` when the price has changed,
 * `idempotency_conflict`, `unavailable`.
 */
export async function changePlan(
  ctx: Ctx<PublisherActor>,
  input: PlanChoice,
): Promise<PlanChangeResult & { replayed: boolean }> {
  const known = await findChangeByKey(ctx, input);
  if (!known) await resolveOpenChange(ctx);
  const { id, replayed } = known ? { id: known, replayed: true } : await startChange(ctx, input);
  return { ...(await finishPlanChange(ctx, { id })), replayed };
}

async function startChange(
  ctx: Ctx<PublisherActor>,
  input: PlanChoice,
): Promise<{ id: PlanChangeId; replayed: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const subscription = await lockSubscription(tx, accountId);
    const before = await findChangeByKey(tx, input);
    if (before) return { id: before, replayed: true };
    await requireOpenAccount(tx, accountId);
    await requireNoOpenChange(tx, accountId);
    const quote = await quotePlanFor(tx, { planType: input.planType, subscription });
    requireAccepted(quote, input.amount);
    const id = newId<PlanChangeId>();
    const { key, planType } = input;
    if (quote.amount === 0 && subscription) await changeWithoutPayment(tx, { id, subscription, quote, input });
    else {
      const { kind, amount } = quote;
      const description =
        kind === "start" ? `${plans[planType].label} plan` : `Upgrade to the ${plans[planType].label} plan`;
      const payment = {
        id,
        accountId,
        kind,
        planType,
        amount,
        key,
        description,
        returnPath: input.returnPath(id),
        subscriptionId: subscription?.id ?? null,
        periodStartedAt: subscription?.periodStartedAt ?? null,
      };
      const isOffset = await offsetAgainstEarnings(tx, payment);
      if (!isOffset) await createPlanPayment(tx, { ...payment, method: await requireDefaultMethod(tx) });
    }
    return { id, replayed: false };
  });
}

function requireAccepted(quote: PlanQuote, expected: Cents | undefined): void {
  if (quote.blocked) throw new DomainError(quote.blocked.code, quote.blocked.reason);
  if (expected === undefined || expected === quote.amount || quote.kind === "keep") return;
  const message = `The price changed from ${formatCents(expected)} to ${formatCents(quote.amount)}. Check it and choose the plan again.`;
  throw invalidInput({ amount: [message] }, message);
}

/** Schedules a downgrade for the end of the period, or undoes a scheduled change. */
async function changeWithoutPayment(
  ctx: Ctx<PublisherActor>,
  {
    id,
    subscription,
    quote,
    input,
  }: { id: PlanChangeId; subscription: SubscriptionRow; quote: PlanQuote; input: PlanChoice },
): Promise<void> {
  const { kind, planType } = quote;
  const nextPlanType = kind === "downgrade" ? planType : null;
  await ctx.db
    .update(subscriptions)
    .set({ nextPlanType, cancelAtPeriodEnd: false })
    .where(eq(subscriptions.id, subscription.id));
  await ctx.db.insert(planChanges).values({
    id,
    accountId: subscription.accountId,
    subscriptionId: subscription.id,
    kind,
    planType,
    status: "succeeded",
    amountCents: 0,
    periodStartedAt: subscription.periodStartedAt,
    idempotencyKey: input.key,
    returnPath: input.returnPath(id),
    createdAt: ctx.clock(),
  });
  const unchanged = kind === "keep" && !subscription.nextPlanType && !subscription.cancelAtPeriodEnd;
  if (unchanged) return;
  await recordAudit(ctx, {
    action: kind === "downgrade" ? "subscription.downgrade_scheduled" : "subscription.scheduled_change_undone",
    entity: "subscription",
    entityId: subscription.id,
    accountId: subscription.accountId,
    before: {
      plan_type: subscription.planType,
      next_plan_type: subscription.nextPlanType,
      cancel_at_period_end: subscription.cancelAtPeriodEnd,
    },
    after: {
      next_plan_type: nextPlanType,
      cancel_at_period_end: false,
      ends_at: subscription.periodEndsAt.toISOString(),
    },
  });
}
