import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import type { Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { sumReleased } from "../payouts/free-earnings.server.ts";
import { lockPlan } from "./lock-plan.server.ts";
import type { PlanFunding } from "./plan-funding.ts";
import { retryOverdue } from "./retry-overdue.server.ts";

/** Says what the publisher's plan is paid from, from its next payment on; one that is past due is tried at once. */
export async function choosePlanFunding(
  ctx: Ctx<PublisherActor>,
  { payFrom }: { payFrom: PlanFunding },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await lockPlan(tx, accountId);
    const own = eq(accounts.id, accountId);
    const [before] = await tx.db.select({ planPaidFrom: accounts.planPaidFrom }).from(accounts).where(own);
    if (!before || before.planPaidFrom === payFrom) return;
    await tx.db.update(accounts).set({ planPaidFrom: payFrom }).where(own);
    if (payFrom === "earnings") await retryOverdue(tx);
    await recordAudit(tx, {
      action: "account.plan_funding_chosen",
      entity: "account",
      entityId: accountId,
      accountId,
      before: { pay_from: before.planPaidFrom },
      after: { pay_from: payFrom },
    });
  });
}

/** What it is paid from, and what of the earnings is there for it now, in cents: below nothing when more was taken back than earned since. */
export async function readPlanFunding(ctx: Ctx<PublisherActor>): Promise<{ payFrom: PlanFunding; available: Cents }> {
  const { accountId: publisherId } = ctx.actor;
  const own = eq(accounts.id, publisherId);
  const [row] = await ctx.db.select({ payFrom: accounts.planPaidFrom }).from(accounts).where(own);
  const available = await sumReleased(ctx, { publisherId, day: calendarDateOf(ctx.clock()) });
  return { payFrom: row?.payFrom ?? "payment_method", available };
}
