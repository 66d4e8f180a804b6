import { and, eq } from "drizzle-orm";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import { newId, type PlanOffsetId } from "#app/domain/ids.ts";
import { accounts, planChanges, planOffsets, transactions } from "#db/schema/index.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { sumAvailableEarnings } from "../payouts/unpaid-earnings.server.ts";
import { activatePlan } from "./activate-plan.server.ts";
import { createPlanPayment, type PlanPayment } from "./create-plan-payment.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";

/**
 * Offsets a plan payment against the publisher's earnings, if the publisher chose that and the available balance covers
 * all of it. Otherwise changes nothing and returns false. Runs in the caller's transaction with the publisher's ledger
 * account locked, as for a payout: of two concurrent uses the second sees the remaining balance.
 */
export async function offsetAgainstEarnings(
  ctx: Ctx<PublisherActor | JobActor>,
  payment: Omit<PlanPayment, "method" | "netted">,
): Promise<boolean> {
  const { accountId: publisherId, amount } = payment;
  const paysFromEarnings = and(eq(accounts.id, publisherId), eq(accounts.planFundingSource, "earnings"));
  if (amount === 0 || (await ctx.db.$count(accounts, paysFromEarnings)) === 0) return false;
  const subscription = await lockSubscription(ctx, publisherId);
  await lockLedgerAccounts(ctx, [
    { account: "publisher_payable", ownerId: publisherId },
    { account: "subscription_revenue" },
  ]);
  if ((await sumAvailableEarnings(ctx, { publisherId, day: calendarDateOf(ctx.clock()) })) < amount) return false;
  const change = await createPlanPayment(ctx, { ...payment, method: undefined, paidFromEarnings: true });
  const { subscriptionId, periodStartedAt, ledgerTransactionId } = await activatePlan(ctx, { change, subscription });
  await ctx.db
    .update(planChanges)
    .set({ status: "succeeded", subscriptionId, periodStartedAt, dueAt: null })
    .where(eq(planChanges.id, change.id));
  if (change.transactionId) {
    const changes = { status: "succeeded" as const, ledgerTransactionId };
    await ctx.db.update(transactions).set(changes).where(eq(transactions.id, change.transactionId));
  }
  await ctx.db.insert(planOffsets).values({
    id: newId<PlanOffsetId>(),
    publisherId,
    planChangeId: change.id,
    amountCents: amount,
    ledgerTransactionId,
    createdAt: ctx.clock(),
  });
  return true;
}
