import { and, eq } from "drizzle-orm";
import { accounts, nettedPlans, planChanges, transactions } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { type NettedPlanId, newId } from "../../ids.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { sumReleased } from "../payouts/free-earnings.server.ts";
import { insertPayment, type PlanPayment } from "./insert-payment.server.ts";
import { lockPlan } from "./lock-plan.server.ts";
import { takeEffect } from "./take-effect.server.ts";

/**
 * Pays for a plan from what its publisher earned, where it chose that and what could be paid out covers all of it; else false, and
 * nothing is done. Written down and paid in the caller's transaction, with the publisher's account of the ledger locked as a payout locks
 * it: of two at once the second finds what the first left.
 */
export async function netFromEarnings(
  ctx: Ctx<PublisherActor | JobActor>,
  payment: Omit<PlanPayment, "method" | "netted">,
): Promise<boolean> {
  const { accountId: publisherId, amount } = payment;
  const wants = and(eq(accounts.id, publisherId), eq(accounts.planPaidFrom, "earnings"));
  if (amount === 0 || (await ctx.db.$count(accounts, wants)) === 0) return false;
  const held = await lockPlan(ctx, publisherId);
  await lockLedgerAccounts(ctx, [
    { account: "publisher_payable", ownerId: publisherId },
    { account: "subscription_revenue" },
  ]);
  if ((await sumReleased(ctx, { publisherId, day: calendarDateOf(ctx.clock()) })) < amount) return false;
  const change = await insertPayment(ctx, { ...payment, method: undefined, netted: true });
  const { subscriptionId, periodStartedAt, ledgerTransactionId } = await takeEffect(ctx, { change, held });
  await ctx.db
    .update(planChanges)
    .set({ status: "succeeded", subscriptionId, periodStartedAt, dueAt: null })
    .where(eq(planChanges.id, change.id));
  if (change.transactionId) {
    const line = { status: "succeeded" as const, ledgerTransactionId };
    await ctx.db.update(transactions).set(line).where(eq(transactions.id, change.transactionId));
  }
  await ctx.db.insert(nettedPlans).values({
    id: newId<NettedPlanId>(),
    publisherId,
    planChangeId: change.id,
    amountCents: amount,
    ledgerTransactionId,
    createdAt: ctx.clock(),
  });
  return true;
}
