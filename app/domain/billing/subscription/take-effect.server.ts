import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { type LedgerTransactionId, newId, type SubscriptionId } from "../../ids.ts";
import { dollarsOf, toCents } from "../../money.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { type BillingPeriod, periodFrom } from "./billing-period.ts";
import type { PlanChangeRow } from "./find-plan-change.server.ts";

type Paid = { change: PlanChangeRow; held: SubscriptionRow | undefined };
type Effect = { subscriptionId: SubscriptionId; periodStartedAt: Date; ledgerTransactionId: LedgerTransactionId };

/** A payment for a plan came in: the plan and its period are what was paid for, and the books say so. Within the caller's transaction. */
export async function takeEffect(ctx: Ctx<PublisherActor | JobActor>, paid: Paid): Promise<Effect> {
  const { change, held } = paid;
  const { id, period, anchorAt } = await writePlan(ctx, paid);
  const { planType, amountCents, accountId } = change;
  await recordAudit(ctx, {
    action: actions[change.kind],
    entity: "subscription",
    entityId: id,
    accountId,
    before: held && { plan_type: held.planType, status: held.status },
    after: {
      plan_type: planType,
      status: "active",
      amount: dollarsOf(toCents(amountCents)),
      ends_at: period.endsAt.toISOString(),
      ...(held && held.planType !== planType && { was: held.planType }),
      ...(held?.anchorAt.getTime() !== anchorAt.getTime() && { anchor_at: anchorAt.toISOString() }),
    },
    told: { plan: planType },
  });
  const ledgerTransactionId = await book(ctx, { change, id, period });
  return { subscriptionId: id, periodStartedAt: period.startedAt, ledgerTransactionId };
}

const actions: Record<PlanChangeRow["kind"], string> = {
  start: "subscription.started",
  upgrade: "subscription.upgraded",
  renewal: "subscription.renewed",
  downgrade: "subscription.downgraded",
  keep: "subscription.kept",
};

/** The row of the plan as it is from now on. */
async function writePlan(ctx: Ctx, { change, held }: Paid) {
  const { planType, accountId, periodStartedAt } = change;
  const paidUp = {
    planType,
    status: "active" as const,
    pastDueSince: null,
    takenBackAt: null,
    nextPlanType: null,
    cancelAtPeriodEnd: false,
  };
  if (change.kind !== "start" && held?.id !== change.subscriptionId)
    throw new Error("a plan outlives its open payment");
  if (!held) {
    const now = ctx.clock();
    const period = periodFrom(now, now);
    const row = {
      id: newId<SubscriptionId>(),
      accountId,
      anchorAt: now,
      createdAt: now,
      ...paidUp,
      ...columnsOf(period),
    };
    await ctx.db.insert(subscriptions).values(row);
    return { id: row.id, anchorAt: now, period };
  }
  const startedAt = periodStartedAt ?? held.periodStartedAt;
  // A period that does not follow the last one begins a new row of them.
  const follows = startedAt.getTime() === held.periodEndsAt.getTime() || change.kind === "upgrade";
  const anchorAt = follows ? held.anchorAt : startedAt;
  const period = change.kind === "renewal" ? periodFrom(anchorAt, startedAt) : currentPeriod(held);
  await ctx.db
    .update(subscriptions)
    .set({ ...paidUp, anchorAt, ...columnsOf(period), ...(change.kind === "upgrade" ? stillUnpaid(held) : {}) })
    .where(eq(subscriptions.id, held.id));
  return { id: held.id, anchorAt, period };
}

/** An upgrade does not pay for a period whose own payment is gone meanwhile. */
function stillUnpaid({ takenBackAt, status, pastDueSince, dueAt }: SubscriptionRow) {
  return takenBackAt ? { takenBackAt, status, pastDueSince, dueAt } : {};
}

function currentPeriod({ periodStartedAt, periodEndsAt }: SubscriptionRow): BillingPeriod {
  return { startedAt: periodStartedAt, endsAt: periodEndsAt };
}

function columnsOf({ startedAt, endsAt }: BillingPeriod) {
  return { periodStartedAt: startedAt, periodEndsAt: endsAt, dueAt: endsAt };
}

/** Once for each plan of a period: within one a plan only grows. */
async function book(
  ctx: Ctx,
  { change, id, period }: { change: PlanChangeRow; id: SubscriptionId; period: BillingPeriod },
): Promise<LedgerTransactionId> {
  const amount = change.amountCents;
  const legs: LedgerLeg[] = [
    change.netted
      ? { account: "publisher_payable", ownerId: change.accountId, amount: toCents(amount) }
      : { account: "cash", amount: toCents(amount) },
    { account: "subscription_revenue", amount: toCents(-amount) },
  ];
  const eventKey = `subscription/${id}/${period.startedAt.toISOString()}/${change.planType}`;
  const accounts = await lockLedgerAccounts(ctx, legs);
  const posted = await postToLedger(ctx, { postings: [{ event: "subscription", eventKey, legs }], accounts });
  const ledgerTransactionId = posted.get(eventKey);
  if (!ledgerTransactionId) throw new Error("a payment that is not succeeded has no entries");
  return ledgerTransactionId;
}
