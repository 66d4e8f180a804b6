import { eq, sql } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { PlanChangeId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { asCents } from "#app/domain/money.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { planChanges } from "#db/schema/index.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import type { PlanChangeRow } from "../subscription/find-plan-change.server.ts";
import { lockSubscription } from "../subscription/lock-subscription.server.ts";
import { readBookedReversals } from "./booked-reversals.server.ts";
import { recordReversalStep } from "./record-reversal-step.server.ts";
import { type Reversal, type ReversalStep, reversalStepsFor } from "./reversal.ts";
import type { ReversalResult } from "./reverse-top-up.server.ts";
import { syncPlanReversal } from "./sync-plan-reversal.server.ts";

/**
 * Posts the disputes and refunds of a plan payment: they reduce our revenue, and the plan changes when the payment is
 * fully reversed or reinstated. Safe to repeat.
 */
export async function reversePlanPayment(
  ctx: Ctx<JobActor>,
  { id, reversals }: { id: PlanChangeId; reversals: readonly Reversal[] },
): Promise<ReversalResult> {
  return inTransaction(ctx, async (tx) => {
    const [current] = await tx.db.select().from(planChanges).where(eq(planChanges.id, id));
    invariant(current, "plan_changes row vanished", { id });
    const subscription = await lockSubscription(tx, current.accountId);
    const [row] = await tx.db.select().from(planChanges).where(eq(planChanges.id, id)).for("no key update");
    invariant(row, "locked plan_changes row vanished", { id });
    const { booked } = await readBookedReversals(tx, { planChangeId: id });
    const paid = asCents(row.status === "succeeded" && row.provider ? row.amountCents : 0);
    const { steps, excess } = reversalStepsFor(paid, { reversals, booked });
    for (const step of steps) await postStep(tx, { row, step });
    if (steps.length > 0) await syncPlanReversal(tx, { change: row, subscription });
    return { steps: steps.length, excess };
  });
}

async function postStep(ctx: Ctx<JobActor>, { row, step }: { row: PlanChangeRow; step: ReversalStep }): Promise<void> {
  const { id, accountId, provider, transactionId, subscriptionId } = row;
  invariant(provider && transactionId, "paid plan change lacks provider or transaction", { id });
  const accounts = await lockLedgerAccounts(ctx, [{ account: "cash" }, { account: "subscription_revenue" }]);
  await recordReversalStep(ctx, {
    step,
    payment: { planChangeId: id },
    accountId,
    provider,
    transactionId,
    accounts,
    entity: "subscription",
    entityId: subscriptionId ?? id,
    legs: [{ account: "subscription_revenue", amount: step.amount }],
  });
  await ctx.db
    .update(planChanges)
    .set({ reversedCents: sql`${planChanges.reversedCents} + ${step.amount}` })
    .where(eq(planChanges.id, id));
}
