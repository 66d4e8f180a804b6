import { and, eq, isNull, or } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { recordAuditOnce } from "#app/domain/audit/record-audit-once.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { type PlanChangeId, parseId, type TopUpId } from "#app/domain/ids.ts";
import { planChanges, topUps } from "#db/schema/index.ts";
import { finishPlanChange } from "../subscription/finish-plan-change.server.ts";
import { finishTopUp } from "../wallet/finish-top-up.server.ts";
import { findAccountByCustomer } from "./tenant-context.server.ts";

/**
 * Finishes the top-up or plan change of a payment by reading the payment's current state. If the response to the charge
 * was lost, the payment is known only by its key; the payment ID is stored first, so that no charge is lost. Returns
 * true when the same top-up or plan change was charged twice, or when the payment of a customer of ours is in no books,
 * as after a restore; the audit trail then has it for the operator.
 */
export async function syncPayment(
  ctx: Ctx<JobActor>,
  { paymentId, key = "", paidBy }: { paymentId: string; key: string | undefined; paidBy?: string | undefined },
): Promise<boolean> {
  const [, what, id] = /^(top_up|subscription)\/(.+)$/.exec(key) ?? [];
  if (what === "top_up") {
    const known = parseId<TopUpId>(id);
    if (!known) return false;
    const state = await linkPayment(ctx, topUps, { id: known, paymentId });
    if (state === "linked") await finishTopUp(ctx, { id: known, recheck: true });
    if (state === "unknown") return recordUnmatched(ctx, { paymentId, paidBy });
    return state === "other_payment";
  }
  const known = parseId<PlanChangeId>(id);
  if (!known) return false;
  const state = await linkPayment(ctx, planChanges, { id: known, paymentId });
  if (state === "linked") await finishPlanChange(ctx, { id: known, recheck: true });
  if (state === "unknown") return recordUnmatched(ctx, { paymentId, paidBy });
  return state === "other_payment";
}

/**
 * Returns false when nothing was paid, or the customer is none of ours: another product may use the same Stripe
 * account.
 */
async function recordUnmatched(
  ctx: Ctx<JobActor>,
  { paymentId, paidBy }: { paymentId: string; paidBy: string | undefined },
): Promise<boolean> {
  const accountId = paidBy && (await findAccountByCustomer(ctx, paidBy));
  if (!accountId) return false;
  const entry = { action: "account.payment_unmatched", entity: "account" as const, entityId: accountId, accountId };
  await recordAuditOnce(ctx, { ...entry, after: { reference: paymentId } });
  return true;
}

/**
 * Stores the payment ID with its row. `linked`: the row has this payment ID; `other_payment`: it has a different one;
 * `unknown`: there is no such row.
 */
async function linkPayment(
  ctx: Ctx<JobActor>,
  table: typeof topUps | typeof planChanges,
  { id, paymentId }: { id: TopUpId | PlanChangeId; paymentId: string },
): Promise<"linked" | "other_payment" | "unknown"> {
  const row = eq(table.id, id);
  const isFree = or(isNull(table.paymentId), eq(table.paymentId, paymentId));
  const linked = await ctx.db.update(table).set({ paymentId }).where(and(row, isFree));
  if (linked.count > 0) return "linked";
  const [known] = await ctx.db.select({ accountId: table.accountId }).from(table).where(row);
  if (!known) return "unknown";
  const { accountId } = known;
  const entry = { action: "account.charged_twice", entity: "account" as const, entityId: accountId, accountId };
  await recordAudit(ctx, { ...entry, after: { payment: paymentId } });
  return "other_payment";
}
