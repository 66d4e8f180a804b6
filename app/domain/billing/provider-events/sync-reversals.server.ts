import { eq } from "drizzle-orm";
import { recordAuditOnce } from "#app/domain/audit/record-audit-once.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { asCents, centsToDollars } from "#app/domain/money.ts";
import { readStripeReversals, type StripeReversals } from "#app/domain/payments/stripe/stripe-reversals.server.ts";
import { planChanges, topUps } from "#db/schema/index.ts";
import type { Reversal } from "../reversals/reversal.ts";
import { reversePlanPayment } from "../reversals/reverse-plan-payment.server.ts";
import { type ReversalResult, reverseTopUp } from "../reversals/reverse-top-up.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { findAccountByCustomer } from "./tenant-context.server.ts";

type ReversalSubject = { kind: "dispute" | "refund"; paymentId: string; reference: string | undefined };

/** The maximum number of reads. If the payment still changes after them, Stripe redelivers the event. */
const maxReads = 5;

/**
 * Posts the disputes and refunds that the provider has for a payment (docs/decisions/0040). A process with an older
 * response may have posted it after a newer one, so the state is read again until there is nothing to post. Returns
 * true when the operator should look at it.
 */
export async function syncReversals(ctx: Ctx<JobActor>, subject: ReversalSubject): Promise<boolean> {
  const { paymentId } = subject;
  let postedSteps = 0;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const found = await readStripeReversals(paymentId);
    const accountId = found && (await findAccount(ctx, { paymentId, customer: found.customer }));
    if (!found || !accountId) return false;
    // The reversal's event may arrive before the payment's own event, and a refund of ours may have ended.
    if (found.reversals.length > 0 || subject.kind === "refund") await syncPayment(ctx, { paymentId, key: found.key });
    const { steps, excess } = await postReversals(ctx, { paymentId, found });
    postedSteps += steps;
    if (steps > 0) continue;
    if (excess > 0)
      await recordForOperator(ctx, { subject, accountId, action: "account.reversal_unmatched", cents: excess });
    const isOpenDispute =
      subject.kind === "dispute" && found.reversals.some((one) => one.reference === subject.reference && !one.cents);
    if (isOpenDispute && postedSteps === 0)
      await recordForOperator(ctx, { subject, accountId, action: "account.payment_disputed", cents: 0 });
    return postedSteps > 0 || excess > 0 || isOpenDispute;
  }
  throw new Error(
    `reversals still changing after ${maxReads} reads; waiting for the event to be redelivered ${JSON.stringify({ paymentId })}`,
  );
}

/**
 * Returns the account that made a payment; undefined when the payment is not ours. A payment whose response was lost is
 * known by its customer only; a customer that was deleted and replaced is known by its payments only.
 */
async function findAccount(
  ctx: Ctx<JobActor>,
  { paymentId, customer }: { paymentId: string; customer: string },
): Promise<AccountId | undefined> {
  for (const table of [topUps, planChanges] as const) {
    const [row] = await ctx.db.select({ id: table.accountId }).from(table).where(eq(table.paymentId, paymentId));
    if (row) return row.id;
  }
  return findAccountByCustomer(ctx, customer);
}

/** Posts the reversals of a payment. If no top-up or plan has the payment, the whole amount is excess. */
async function postReversals(
  ctx: Ctx<JobActor>,
  { paymentId, found }: { paymentId: string; found: StripeReversals },
): Promise<ReversalResult> {
  const reversals = found.reversals.map(
    ({ cents, ...reversal }): Reversal => ({ ...reversal, amount: asCents(cents) }),
  );
  const [topUp] = await ctx.db.select({ id: topUps.id }).from(topUps).where(eq(topUps.paymentId, paymentId));
  if (topUp) return reverseTopUp(ctx, { id: topUp.id, reversals });
  const [plan] = await ctx.db
    .select({ id: planChanges.id })
    .from(planChanges)
    .where(eq(planChanges.paymentId, paymentId));
  if (plan) return reversePlanPayment(ctx, { id: plan.id, reversals });
  return { steps: 0, excess: asCents(reversals.reduce((sum, { amount }) => sum + amount, 0)) };
}

/**
 * Records a dispute, or the excess of a reversal that we bear, in the audit trail for the operator, once per dispute or
 * refund.
 */
async function recordForOperator(
  ctx: Ctx<JobActor>,
  {
    subject: { paymentId, reference = paymentId },
    accountId,
    action,
    cents,
  }: {
    subject: ReversalSubject;
    accountId: AccountId;
    action: "account.payment_disputed" | "account.reversal_unmatched";
    cents: number;
  },
): Promise<void> {
  const after = { payment: paymentId, amount: centsToDollars(asCents(cents)), reference };
  await recordAuditOnce(ctx, { action, entity: "account", entityId: accountId, accountId, after });
}
