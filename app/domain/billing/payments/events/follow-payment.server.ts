import { and, eq, isNull, or } from "drizzle-orm";
import { planChanges, topUps } from "#db/schema/index.ts";
import { recordAudit } from "../../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import { type PlanChangeId, parseId, type TopUpId } from "../../../ids.ts";
import { finishPlanChange } from "../../subscription/finish-plan-change.server.ts";
import { finishTopUp } from "../../wallet/finish-top-up.server.ts";

/**
 * There is news of a payment: what it was for is finished by asking how it stands. A payment that we know by its key alone, since its
 * answer never came, is written down first, so that nothing that was charged is lost. True where the same charge was made twice, which
 * is written down for the operator.
 */
export async function followPayment(
  ctx: Ctx<JobActor>,
  { paymentId, key = "" }: { paymentId: string; key: string | undefined },
): Promise<boolean> {
  const [, what, id] = /^(top_up|subscription)\/(.+)$/.exec(key) ?? [];
  if (what === "top_up") {
    const known = parseId<TopUpId>(id);
    if (!known) return false;
    const state = await keepPayment(ctx, topUps, { id: known, paymentId });
    if (state === "kept") await finishTopUp(ctx, { id: known, again: true });
    return state === "another";
  }
  const known = parseId<PlanChangeId>(id);
  if (!known) return false;
  const state = await keepPayment(ctx, planChanges, { id: known, paymentId });
  if (state === "kept") await finishPlanChange(ctx, { id: known, again: true });
  return state === "another";
}

/** `kept`: the payment is its one; `another`: it has another one; `none`: there is no such row here. */
async function keepPayment(
  ctx: Ctx<JobActor>,
  table: typeof topUps | typeof planChanges,
  { id, paymentId }: { id: TopUpId | PlanChangeId; paymentId: string },
): Promise<"kept" | "another" | "none"> {
  const row = eq(table.id, id);
  const free = or(isNull(table.paymentId), eq(table.paymentId, paymentId));
  const kept = await ctx.db.update(table).set({ paymentId }).where(and(row, free));
  if (kept.count > 0) return "kept";
  const [known] = await ctx.db.select({ accountId: table.accountId }).from(table).where(row);
  if (!known) return "none";
  const { accountId } = known;
  const twice = { action: "account.charged_twice", entity: "account" as const, entityId: accountId, accountId };
  await recordAudit(ctx, { ...twice, after: { payment: paymentId } });
  return "another";
}
