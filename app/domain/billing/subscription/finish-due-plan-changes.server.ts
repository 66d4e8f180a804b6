import { and, asc, eq, lte, sql } from "drizzle-orm";
import { planChanges, subscriptions } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { PlanChangeId } from "../../ids.ts";
import { callOff } from "./end-open-change.server.ts";
import { getChangeRow, type PlanChangeRow } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";

/** In one run, so that a run ends; the next goes on. */
const most = 200;
const day = 24 * 3_600_000;

/**
 * Finishes the payments for plans whose process was cut off, and looks after those that wait for a person: who has not
 * confirmed within a day does not any more, nor what is for a period that is over. Gives how many came to an end.
 */
export async function finishDuePlanChanges(ctx: Ctx<JobActor>): Promise<number> {
  let ended = 0;
  for (let count = 0; count < most; count += 1) {
    const id = await takeDue(ctx);
    if (!id) break;
    try {
      ended += (await lookAfter(ctx, id)) ? 1 : 0;
    } catch (error) {
      // It is due again after its lease.
      if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
    }
  }
  return ended;
}

async function lookAfter(ctx: Ctx<JobActor>, id: PlanChangeId): Promise<boolean> {
  const row = await getChangeRow(ctx, id);
  if (row.status === "needs_confirmation" && (await isTooLate(ctx, row))) {
    return (await callOff(ctx, row)).status !== row.status;
  }
  return (await finishPlanChange(ctx, { id })).status !== row.status;
}

async function isTooLate(ctx: Ctx<JobActor>, row: PlanChangeRow): Promise<boolean> {
  const now = ctx.clock();
  if (now.getTime() - row.createdAt.getTime() > day) return true;
  if (row.kind !== "upgrade" || !row.subscriptionId) return false;
  const over = and(eq(subscriptions.id, row.subscriptionId), lte(subscriptions.periodEndsAt, now));
  return (await ctx.db.$count(subscriptions, over)) > 0;
}

/** One at a time, so that several processes share them. */
async function takeDue(ctx: Ctx<JobActor>): Promise<PlanChangeId | undefined> {
  const now = ctx.clock();
  const due = ctx.db
    .select({ id: planChanges.id })
    .from(planChanges)
    .where(lte(planChanges.dueAt, now))
    .orderBy(asc(planChanges.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await ctx.db
    .update(planChanges)
    .set({ dueAt: new Date(now.getTime() + 120_000) })
    .where(and(sql`${planChanges.id} = (${due})`, lte(planChanges.dueAt, now)))
    .returning({ id: planChanges.id });
  return row?.id;
}
