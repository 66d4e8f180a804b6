import { eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import { type LedgerTransactionId, newId, type SubscriptionId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { asCents, centsToDollars } from "#app/domain/money.ts";
import { subscriptions } from "#db/schema/index.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { type BillingPeriod, periodFrom } from "./billing-period.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";

type ReceivedPayment = { change: PlanChangeRow; subscription: SubscriptionRow | undefined };
type ActivatedPlan = {
  subscriptionId: SubscriptionId;
  periodStartedAt: Date;
  ledgerTransactionId: LedgerTransactionId;
};

/** Activates the plan and period that a payment was for, and posts the payment, within the caller's transaction. */
export async function activatePlan(
  ctx: Ctx<PublisherActor | JobActor>,
  payment: ReceivedPayment,
): Promise<ActivatedPlan> {
  const { change, subscription } = payment;
  const { id, period, anchorAt } = await upsertSubscription(ctx, payment);
  const { planType, amountCents, accountId } = change;
  await recordAudit(ctx, {
    action: actions[change.kind],
    entity: "subscription",
    entityId: id,
    accountId,
    before: subscription && { plan_type: subscription.planType, status: subscription.status },
    after: {
      plan_type: planType,
      status: "active",
      amount: centsToDollars(asCents(amountCents)),
      ends_at: period.endsAt.toISOString(),
      ...(subscription && subscription.planType !== planType && { was: subscription.planType }),
      ...(subscription?.anchorAt.getTime() !== anchorAt.getTime() && { anchor_at: anchorAt.toISOString() }),
    },
    notificationFacts: { plan: planType, ...(change.paidFromEarnings && { isPaidFromEarnings: true }) },
  });
  const ledgerTransactionId = await postPayment(ctx, { change, id, period });
  return { subscriptionId: id, periodStartedAt: period.startedAt, ledgerTransactionId };
}

const actions: Record<PlanChangeRow["kind"], string> = {
  start: "subscription.started",
  upgrade: "subscription.upgraded",
  renewal: "subscription.renewed",
  downgrade: "subscription.downgraded",
  keep: "subscription.scheduled_change_undone",
};

/** Inserts or updates the subscription. */
async function upsertSubscription(ctx: Ctx, { change, subscription }: ReceivedPayment) {
  const { planType, accountId, periodStartedAt } = change;
  const paidState = {
    planType,
    status: "active" as const,
    pastDueSince: null,
    paymentReversedAt: null,
    nextPlanType: null,
    // The payment of a period leaves a cancellation in force; only the choice of a plan undoes it.
    cancelAtPeriodEnd: change.kind === "renewal" && (subscription?.cancelAtPeriodEnd ?? false),
  };
  const isCurrent = change.kind === "start" || subscription?.id === change.subscriptionId;
  invariant(isCurrent, "subscription ended while its payment was open", { id: change.id });
  if (!subscription) {
    const now = ctx.clock();
    const period = periodFrom(now, now);
    const row = {
      id: newId<SubscriptionId>(),
      accountId,
      anchorAt: now,
      createdAt: now,
      ...paidState,
      ...periodColumns(period),
    };
    await ctx.db.insert(subscriptions).values(row);
    return { id: row.id, anchorAt: now, period };
  }
  const startedAt = periodStartedAt ?? subscription.periodStartedAt;
  // A period that does not follow the previous one starts a new series of periods.
  const isConsecutive = startedAt.getTime() === subscription.periodEndsAt.getTime() || change.kind === "upgrade";
  const anchorAt = isConsecutive ? subscription.anchorAt : startedAt;
  const period = change.kind === "renewal" ? periodFrom(anchorAt, startedAt) : currentPeriod(subscription);
  await ctx.db
    .update(subscriptions)
    .set({
      ...paidState,
      anchorAt,
      ...periodColumns(period),
      ...(change.kind === "upgrade" ? unpaidState(subscription) : {}),
    })
    .where(eq(subscriptions.id, subscription.id));
  return { id: subscription.id, anchorAt, period };
}

/** An upgrade does not pay for a period whose own payment was reversed meanwhile. */
function unpaidState({ paymentReversedAt, status, pastDueSince, dueAt }: SubscriptionRow) {
  return paymentReversedAt ? { paymentReversedAt, status, pastDueSince, dueAt } : {};
}

function currentPeriod({ periodStartedAt, periodEndsAt }: SubscriptionRow): BillingPeriod {
  return { startedAt: periodStartedAt, endsAt: periodEndsAt };
}

function periodColumns({ startedAt, endsAt }: BillingPeriod) {
  return { periodStartedAt: startedAt, periodEndsAt: endsAt, dueAt: endsAt };
}

/**
 * Posts the payment, once for the start of a period and once for each upgrade, of which a period has two to the same
 * plan when the payment of the first is reversed.
 */
async function postPayment(
  ctx: Ctx,
  { change, id, period }: { change: PlanChangeRow; id: SubscriptionId; period: BillingPeriod },
): Promise<LedgerTransactionId> {
  const amount = change.amountCents;
  const legs: LedgerLeg[] = [
    change.paidFromEarnings
      ? { account: "publisher_payable", ownerId: change.accountId, amount: asCents(amount) }
      : { account: "cash", amount: asCents(amount) },
    { account: "subscription_revenue", amount: asCents(-amount) },
  ];
  const ofPeriod = `subscription/${id}/${period.startedAt.toISOString()}/${change.planType}`;
  const eventKey = change.kind === "upgrade" ? `${ofPeriod}/${change.id}` : ofPeriod;
  const accounts = await lockLedgerAccounts(ctx, legs);
  const posted = await postToLedger(ctx, { postings: [{ event: "subscription", eventKey, legs }], accounts });
  const ledgerTransactionId = posted.get(eventKey);
  invariant(ledgerTransactionId, "plan payment was already posted", { eventKey });
  return ledgerTransactionId;
}
