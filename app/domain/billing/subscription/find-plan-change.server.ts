import { and, eq, inArray } from "drizzle-orm";
import { planChanges } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import type { PlanType } from "../plan.ts";
import { openChangeStatuses } from "./plan-change.ts";

export type PlanChangeRow = typeof planChanges.$inferSelect;

/** Throws `not_found`, for another's too. */
export async function getChangeRow(ctx: Ctx<PublisherActor | JobActor>, id: PlanChangeId): Promise<PlanChangeRow> {
  const own = ctx.actor.kind === "job" ? undefined : eq(planChanges.accountId, ctx.actor.accountId);
  const [row] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.id, id), own));
  if (!row) throw notFound("Payment");
  return row;
}

/** The change that the key was used for. Throws `idempotency_conflict` when it was another; any plan fits where none is named. */
export async function findChangeByKey(
  ctx: Ctx<PublisherActor>,
  { key, planType }: { key: string; planType?: PlanType },
): Promise<PlanChangeId | undefined> {
  const [row] = await ctx.db
    .select({ id: planChanges.id, kind: planChanges.kind, planType: planChanges.planType })
    .from(planChanges)
    .where(and(eq(planChanges.accountId, ctx.actor.accountId), eq(planChanges.idempotencyKey, key)));
  if (row && (planType === undefined ? row.kind !== "renewal" : row.kind === "renewal" || row.planType !== planType)) {
    throw new DomainError("idempotency_conflict", "This Idempotency-Key was used for another request");
  }
  return row?.id;
}

/** The change whose payment is under way. */
export async function findOpenChange(ctx: Pick<Ctx, "db">, accountId: AccountId): Promise<PlanChangeRow | undefined> {
  const open = inArray(planChanges.status, [...openChangeStatuses]);
  const [row] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.accountId, accountId), open));
  return row;
}
