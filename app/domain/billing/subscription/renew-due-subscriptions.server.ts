import { and, asc, eq, lte, ne } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { arePaymentsSetUp } from "../payments/provider-of.server.ts";
import { findUndisputedMethod } from "../taken-back/find-undisputed-method.server.ts";
import { endSubscription } from "./fail-plan-payment.server.ts";
import { findOpenChange } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";
import { lockPlan } from "./lock-plan.server.ts";
import { beginRenewal } from "./renew-subscription.server.ts";

/** In one run, so that a run ends; the next goes on. */
const most = 200;

/**
 * Renews the plans whose period is over, tries those again that are past due on their day, and ends those that were canceled. Each is
 * written down before it is paid for, so that two processes at once, or one that is cut off, take the money once. Gives how many
 * it looked after.
 */
export async function renewDueSubscriptions(ctx: Ctx<JobActor>): Promise<number> {
  // Where nobody takes payments nothing is begun.
  if (!arePaymentsSetUp()) return 0;
  const due = await ctx.db
    .select({ accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(and(ne(subscriptions.status, "canceled"), lte(subscriptions.dueAt, ctx.clock())))
    .orderBy(asc(subscriptions.dueAt))
    .limit(most);
  let done = 0;
  for (const { accountId } of due) done += (await renewOne(ctx, accountId)) ? 1 : 0;
  return done;
}

async function renewOne(ctx: Ctx<JobActor>, accountId: AccountId): Promise<boolean> {
  const begun = await inTransaction(ctx, (tx) => begin(tx, accountId));
  if (typeof begun === "boolean") return begun;
  try {
    await finishPlanChange(ctx, { id: begun });
  } catch (error) {
    // It was written down: the job of payments without an end goes on with it.
    if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
  }
  return true;
}

/** The payment to be finished; whether there was anything to do where nothing is to be paid. */
async function begin(ctx: Ctx<JobActor>, accountId: AccountId): Promise<PlanChangeId | boolean> {
  const held = await lockPlan(ctx, accountId);
  const now = ctx.clock();
  if (!held?.dueAt || held.dueAt > now) return false;
  // What comes of the payment says when it is looked at next; one that is open comes first.
  const later = new Date(now.getTime() + 600_000);
  await ctx.db.update(subscriptions).set({ dueAt: later }).where(eq(subscriptions.id, held.id));
  if (await findOpenChange(ctx, accountId)) return false;
  if (held.cancelAtPeriodEnd) {
    await endSubscription(ctx, { held });
    return true;
  }
  const method = () => findUndisputedMethod(ctx, held);
  return beginRenewal(ctx, { held, method, returnPath: (id) => `/publisher/billing/subscription/payments/${id}` });
}
