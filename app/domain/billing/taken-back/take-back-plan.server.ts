import { eq, sql } from "drizzle-orm";
import { planChanges } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { PlanChangeId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import type { PlanChangeRow } from "../subscription/find-plan-change.server.ts";
import { lockPlan } from "../subscription/lock-plan.server.ts";
import { readBookedTakings } from "./booked-takings.server.ts";
import { followTakenPlan } from "./follow-taken-plan.server.ts";
import type { TakenBack } from "./take-back-top-up.server.ts";
import { stepsFor, type Taking, type TakingStep } from "./taken-back.ts";
import { writeStep } from "./write-step.server.ts";

/**
 * Brings the books in line with what a bank, or somebody at the provider's, took of a plan's payment: it is no revenue of ours, and the
 * plan follows where all of it is gone, or comes back. As often as one likes.
 */
export async function takeBackPlan(
  ctx: Ctx<JobActor>,
  { id, takings }: { id: PlanChangeId; takings: readonly Taking[] },
): Promise<TakenBack> {
  return inTransaction(ctx, async (tx) => {
    const [known] = await tx.db.select().from(planChanges).where(eq(planChanges.id, id));
    if (!known) throw new Error("a change of a plan stays");
    const held = await lockPlan(tx, known.accountId);
    const [row] = await tx.db.select().from(planChanges).where(eq(planChanges.id, id)).for("no key update");
    if (!row) throw new Error("it is locked");
    const { booked } = await readBookedTakings(tx, { planChangeId: id });
    const paid = toCents(row.status === "succeeded" && row.provider ? row.amountCents : 0);
    const { steps, beyond } = stepsFor(paid, { takings, booked });
    for (const step of steps) await bookStep(tx, { row, step });
    if (steps.length > 0) await followTakenPlan(tx, { change: row, held });
    return { steps: steps.length, beyond };
  });
}

async function bookStep(ctx: Ctx<JobActor>, { row, step }: { row: PlanChangeRow; step: TakingStep }): Promise<void> {
  const { id, accountId, provider, transactionId, subscriptionId } = row;
  if (!provider || !transactionId) throw new Error("what was paid has a line, and somebody took the money");
  const accounts = await lockLedgerAccounts(ctx, [{ account: "cash" }, { account: "subscription_revenue" }]);
  await writeStep(ctx, {
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
    .set({ takenBackCents: sql`${planChanges.takenBackCents} + ${step.amount}` })
    .where(eq(planChanges.id, id));
}
