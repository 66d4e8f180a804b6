import { eq } from "drizzle-orm";
import { invariant } from "#app/domain/invariant.ts";
import type { Charge } from "#app/domain/payments/payment-provider.ts";
import { planChanges, transactions } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { chargeUpdate, nextCheckAt, statusFromCharge } from "../charges/charge-outcome.server.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { activatePlan } from "./activate-plan.server.ts";
import { failPlanPayment, markAwaitingConfirmation } from "./fail-plan-payment.server.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";
import { planChangeTransitions, transactionStatusFor } from "./plan-change.ts";

type ApplyCtx = Ctx<PublisherActor | JobActor>;

/**
 * Applies the outcome of a plan's charge, once: activates the plan, posts the payment, updates the account's
 * transaction and schedules the next attempt.
 */
export async function applyPlanCharge(
  ctx: ApplyCtx,
  input: { id: PlanChangeId; accountId: AccountId; charge: Charge; canceled?: boolean },
): Promise<PlanChangeRow> {
  const { id, accountId, charge, canceled = false } = input;
  return inTransaction(ctx, async (tx) => {
    const subscription = await lockSubscription(tx, accountId);
    const [before] = await tx.db.select().from(planChanges).where(eq(planChanges.id, id)).for("update");
    if (!before) throw notFound("Payment");
    const status = statusFromCharge(charge, { canceled });
    if (status === before.status || !planChangeTransitions[before.status].includes(status)) {
      return postpone(tx, { row: before, charge });
    }
    const paid = charge.state === "succeeded" ? await activatePlan(tx, { change: before, subscription }) : null;
    const [row] = await tx.db
      .update(planChanges)
      .set({
        status,
        ...(paid && { subscriptionId: paid.subscriptionId, periodStartedAt: paid.periodStartedAt }),
        ...chargeUpdate(tx, { charge, before }),
      })
      .where(eq(planChanges.id, id))
      .returning();
    invariant(row, "locked plan_changes row vanished", { id });
    await updateTransaction(tx, { row, ledgerTransactionId: paid?.ledgerTransactionId ?? null });
    await handleUnpaidCharge(tx, { row, subscription, charge });
    return row;
  });
}

/** Updates the account's transaction. */
async function updateTransaction(
  ctx: ApplyCtx,
  { row, ledgerTransactionId }: { row: PlanChangeRow } & Pick<typeof transactions.$inferInsert, "ledgerTransactionId">,
): Promise<void> {
  if (!row.transactionId) return;
  const changes = { status: transactionStatusFor(row.status), ledgerTransactionId };
  await ctx.db.update(transactions).set(changes).where(eq(transactions.id, row.transactionId));
}

/**
 * Updates the plan after an unpaid charge: a renewal makes the plan past due; any other payment that fails leaves it
 * unchanged.
 */
async function handleUnpaidCharge(
  ctx: ApplyCtx,
  { row, subscription, charge }: { row: PlanChangeRow; subscription: SubscriptionRow | undefined; charge: Charge },
): Promise<void> {
  if (charge.state === "declined") await failPlanPayment(ctx, { row, subscription, reason: charge.reason });
  if (charge.state === "needs_confirmation") await markAwaitingConfirmation(ctx, { row, subscription });
}

/** Stores the payment ID of an unchanged charge and schedules the next check. */
async function postpone(
  ctx: ApplyCtx,
  { row, charge }: { row: PlanChangeRow; charge: Charge },
): Promise<PlanChangeRow> {
  if (row.dueAt === null) return row;
  const dueAt = nextCheckAt(ctx, planChanges);
  const paymentId = charge.paymentId ?? row.paymentId;
  const set = { dueAt, paymentId };
  const [postponed] = await ctx.db.update(planChanges).set(set).where(eq(planChanges.id, row.id)).returning();
  return postponed ?? row;
}
