import { and, eq, inArray } from "drizzle-orm";
import { planChanges } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
import type { PlanType } from "../plan.ts";
import { openChangeStatuses } from "./plan-change.ts";

export type PlanChangeRow = typeof planChanges.$inferSelect;

/** Reads a plan change. Throws `not_found`, also for one of another account. */
export async function getChangeRow(ctx: Ctx<PublisherActor | JobActor>, id: PlanChangeId): Promise<PlanChangeRow> {
  const own = ctx.actor.kind === "job" ? undefined : eq(planChanges.accountId, ctx.actor.accountId);
  const [row] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.id, id), own));
  if (!row) throw notFound("Payment");
  return row;
}

type ChangeRequest = { key: string; planType?: PlanType; amount?: Cents };

/**
 * Returns the plan change that the key was used for. Throws `idempotency_conflict` when the request differs; without a
 * plan type any renewal matches.
 */
export async function findChangeByKey(
  ctx: Ctx<PublisherActor>,
  request: ChangeRequest,
): Promise<PlanChangeId | undefined> {
  const [row] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.accountId, ctx.actor.accountId), eq(planChanges.idempotencyKey, request.key)));
  if (row && !isSameRequest(row, request)) {
    throw new DomainError(
      "idempotency_conflict",
      "This Idempotency-Key was already used for a different request. Use a new key.",
    );
  }
  return row?.id;
}

/** Compares the price only where the request had one; keeping the current plan has no price. */
function isSameRequest({ kind, planType, amountCents }: PlanChangeRow, request: ChangeRequest): boolean {
  if (request.planType === undefined) return kind === "renewal";
  if (kind === "renewal" || planType !== request.planType) return false;
  return kind === "keep" || request.amount === undefined || request.amount === amountCents;
}

/** Returns the account's plan change whose payment is in progress. */
export async function findOpenChange(ctx: Pick<Ctx, "db">, accountId: AccountId): Promise<PlanChangeRow | undefined> {
  const open = inArray(planChanges.status, [...openChangeStatuses]);
  const [row] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.accountId, accountId), open));
  return row;
}
