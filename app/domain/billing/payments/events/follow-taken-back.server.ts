import { and, eq, sql } from "drizzle-orm";
import { readStripeTakings, type StripeTakings } from "#app/payments/stripe/stripe-takings.server.ts";
import { auditEntries, planChanges, topUps } from "#db/schema/index.ts";
import { recordAudit } from "../../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import type { AccountId } from "../../../ids.ts";
import { dollarsOf, toCents } from "../../../money.ts";
import { inTransaction } from "../../../transaction.server.ts";
import { takeBackPlan } from "../../taken-back/take-back-plan.server.ts";
import { type TakenBack, takeBackTopUp } from "../../taken-back/take-back-top-up.server.ts";
import type { Taking } from "../../taken-back/taken-back.ts";
import { followPayment } from "./follow-payment.server.ts";
import { findCustomersAccount } from "./tenant-of.server.ts";

type News = { about: "dispute" | "refund"; paymentId: string; reference: string | undefined };

/** A payment of which something is always new is none: then the message comes again. */
const mostReadings = 5;

/**
 * A bank took money back, or somebody gave some back at the provider: what stands there is booked (docs/decisions/0040). Who read an old
 * answer may have booked it after a newer one, so it is read until there is nothing to book. True when the operator should look at it.
 */
export async function followTakenBack(ctx: Ctx<JobActor>, news: News): Promise<boolean> {
  const { paymentId } = news;
  let booked = 0;
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const found = await readStripeTakings(paymentId);
    const accountId = found && (await findCustomersAccount(ctx, found.customer));
    if (!found || !accountId) return false;
    // It may be told of before the payment itself is.
    if (found.takings.length > 0) await followPayment(ctx, { paymentId, key: found.key });
    const { steps, beyond } = await book(ctx, { paymentId, found });
    booked += steps;
    if (steps > 0) continue;
    if (beyond > 0) await tellOnce(ctx, { news, accountId, action: "account.payment_returned", cents: beyond });
    const asks =
      news.about === "dispute" && found.takings.some((one) => one.reference === news.reference && !one.cents);
    if (asks && booked === 0) await tellOnce(ctx, { news, accountId, action: "account.payment_disputed", cents: 0 });
    return booked > 0 || beyond > 0 || asks;
  }
  throw new Error("what was taken back of a payment changes while it is booked");
}

/** Of what is not in the books by this payment, all is beyond it. */
async function book(
  ctx: Ctx<JobActor>,
  { paymentId, found }: { paymentId: string; found: StripeTakings },
): Promise<TakenBack> {
  const takings = found.takings.map(({ cents, ...taking }): Taking => ({ ...taking, amount: toCents(cents) }));
  const [topUp] = await ctx.db.select({ id: topUps.id }).from(topUps).where(eq(topUps.paymentId, paymentId));
  if (topUp) return takeBackTopUp(ctx, { id: topUp.id, takings });
  const [plan] = await ctx.db
    .select({ id: planChanges.id })
    .from(planChanges)
    .where(eq(planChanges.paymentId, paymentId));
  if (plan) return takeBackPlan(ctx, { id: plan.id, takings });
  return { steps: 0, beyond: toCents(takings.reduce((sum, { amount }) => sum + amount, 0)) };
}

/** Written down for the operator, once for a dispute or refund, and what of it is nobody's but ours. */
async function tellOnce(
  ctx: Ctx<JobActor>,
  {
    news: { paymentId, reference = paymentId },
    accountId,
    action,
    cents,
  }: {
    news: News;
    accountId: AccountId;
    action: "account.payment_disputed" | "account.payment_returned";
    cents: number;
  },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${action} ${reference}`}, 0))`);
    const same = and(eq(auditEntries.entityId, accountId), eq(auditEntries.action, action));
    const told = sql`${auditEntries.after} ->> 'reference' = ${reference}`;
    if ((await tx.db.$count(auditEntries, and(same, told))) > 0) return;
    const after = { payment: paymentId, amount: dollarsOf(toCents(cents)), reference };
    await recordAudit(tx, { action, entity: "account", entityId: accountId, accountId, after });
  });
}
