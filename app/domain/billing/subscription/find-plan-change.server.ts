import { and, eq, inArray } from "drizzle-orm";
import { planChanges } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { AccountId, PlanChangeId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
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

type Asked = { key: string; planType?: PlanType; amount?: Cents };

/** The change that the key was used for. Throws `idempotency_conflict` when it was another; any plan fits where none is named. */
export async function findChangeByKey(ctx: Ctx<PublisherActor>, asked: Asked): Promise<PlanChangeId | undefined> {
  const [row] = await ctx.db
    .select()
    .from(planChanges)
    .where(and(eq(planChanges.accountId, ctx.actor.accountId), eq(planChanges.idempotencyKey, asked.key)));
  if (row && !isWhatWas(row, asked)) {
    throw new DomainError("idempotency_conflict", "This Idempotency-Key was used for another request");
  }
  return row?.id;
}

/** The price counts where one was said; that of a plan that was taken again never did. */
function isWhatWas({ kind, planType, amountCents }: PlanChangeRow, asked: Asked): boolean {
  if (asked.planType === undefined) return kind === "renewal";
  if (kind === "renewal" || planType !== asked.planType) return false;
  return kind === "keep" || asked.amount === undefined || asked.amount === amountCents;
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
