import { eq } from "drizzle-orm";
import type { Charge } from "#app/payments/payment-provider.ts";
import { planChanges, transactions } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { outcomeOf, soonAtLeast, statusAfter } from "../payments/charge-outcome.server.ts";
import { failPlanPayment, waitForConfirmation } from "./fail-plan-payment.server.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";
import { lockPlan } from "./lock-plan.server.ts";
import { lineStatus, planChangeTransitions } from "./plan-change.ts";
import { takeEffect } from "./take-effect.server.ts";

type ApplyCtx = Ctx<PublisherActor | JobActor>;

/** Writes what came of a plan's payment, once: the plan, the money into the books, the account's line, the next try. */
export async function applyPlanCharge(
  ctx: ApplyCtx,
  input: { id: PlanChangeId; accountId: AccountId; charge: Charge; canceled?: boolean },
): Promise<PlanChangeRow> {
  const { id, accountId, charge, canceled = false } = input;
  return inTransaction(ctx, async (tx) => {
    const held = await lockPlan(tx, accountId);
    const [before] = await tx.db.select().from(planChanges).where(eq(planChanges.id, id)).for("update");
    if (!before) throw notFound("Payment");
    const status = statusAfter(charge, { canceled });
    if (status === before.status || !planChangeTransitions[before.status].includes(status)) {
      return postpone(tx, { row: before, charge });
    }
    const paid = charge.state === "succeeded" ? await takeEffect(tx, { change: before, held }) : null;
    const [row] = await tx.db
      .update(planChanges)
      .set({
        status,
        ...(paid && { subscriptionId: paid.subscriptionId, periodStartedAt: paid.periodStartedAt }),
        ...outcomeOf(tx, { charge, before }),
      })
      .where(eq(planChanges.id, id))
      .returning();
    if (!row) throw new Error("it is locked");
    await writeLine(tx, { row, ledgerTransactionId: paid?.ledgerTransactionId ?? null });
    await tellPlan(tx, { row, held, charge });
    return row;
  });
}

/** The line of the account's. */
async function writeLine(
  ctx: ApplyCtx,
  { row, ledgerTransactionId }: { row: PlanChangeRow } & Pick<typeof transactions.$inferInsert, "ledgerTransactionId">,
): Promise<void> {
  if (!row.transactionId) return;
  const line = { status: lineStatus(row.status), ledgerTransactionId };
  await ctx.db.update(transactions).set(line).where(eq(transactions.id, row.transactionId));
}

/** A renewal that is not paid leaves the plan past due; any other payment that fails leaves it as it was. */
async function tellPlan(
  ctx: ApplyCtx,
  { row, held, charge }: { row: PlanChangeRow; held: SubscriptionRow | undefined; charge: Charge },
): Promise<void> {
  if (charge.state === "declined") await failPlanPayment(ctx, { row, held, reason: charge.reason });
  if (charge.state === "needs_confirmation") await waitForConfirmation(ctx, { row, held });
}

/** Nothing new but the payment's name: a job looks again later. */
async function postpone(
  ctx: ApplyCtx,
  { row, charge }: { row: PlanChangeRow; charge: Charge },
): Promise<PlanChangeRow> {
  if (row.dueAt === null) return row;
  const dueAt = soonAtLeast(ctx, planChanges);
  const paymentId = charge.paymentId ?? row.paymentId;
  const set = { dueAt, paymentId };
  const [later] = await ctx.db.update(planChanges).set(set).where(eq(planChanges.id, row.id)).returning();
  return later ?? row;
}
