import { eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { accounts } from "#db/schema/index.ts";
import { sumAvailableEarnings } from "../payouts/unpaid-earnings.server.ts";
import { lockSubscription } from "./lock-subscription.server.ts";
import type { PlanFunding } from "./plan-funding.ts";
import { retryPastDue } from "./retry-past-due.server.ts";

/**
 * Sets how the publisher pays for its plan, from the next payment on. A past-due plan is retried at once, unless it is
 * canceled.
 */
export async function setPlanFunding(ctx: Ctx<PublisherActor>, { payFrom }: { payFrom: PlanFunding }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await lockSubscription(tx, accountId);
    const own = eq(accounts.id, accountId);
    const [before] = await tx.db.select({ planFundingSource: accounts.planFundingSource }).from(accounts).where(own);
    if (!before || before.planFundingSource === payFrom) return;
    await tx.db.update(accounts).set({ planFundingSource: payFrom }).where(own);
    if (payFrom === "earnings") await retryPastDue(tx);
    await recordAudit(tx, {
      action: "account.plan_funding_changed",
      entity: "account",
      entityId: accountId,
      accountId,
      before: { pay_from: before.planFundingSource },
      after: { pay_from: payFrom },
    });
  });
}

/**
 * Returns how the plan is paid, and the earnings available for it now, in cents: negative when deductions exceed the
 * earnings since.
 */
export async function readPlanFunding(ctx: Ctx<PublisherActor>): Promise<{ payFrom: PlanFunding; available: Cents }> {
  const { accountId: publisherId } = ctx.actor;
  const own = eq(accounts.id, publisherId);
  const [row] = await ctx.db.select({ payFrom: accounts.planFundingSource }).from(accounts).where(own);
  const available = await sumAvailableEarnings(ctx, { publisherId, day: calendarDateOf(ctx.clock()) });
  return { payFrom: row?.payFrom ?? "payment_method", available };
}
