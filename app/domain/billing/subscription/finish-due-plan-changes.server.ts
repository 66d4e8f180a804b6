import { and, eq, lte } from "drizzle-orm";
import { planChanges, subscriptions } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { PlanChangeId } from "../../ids.ts";
import { finishDue } from "../payments/finish-due.server.ts";
import { callOff } from "./end-open-change.server.ts";
import { getChangeRow, type PlanChangeRow } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";

const day = 24 * 3_600_000;

/**
 * Finishes the payments for plans whose process was cut off, and looks after those that wait for a person: who has not
 * confirmed within a day does not any more, nor what is for a period that is over. Gives how many came to an end.
 */
export async function finishDuePlanChanges(ctx: Ctx<JobActor>): Promise<number> {
  return finishDue(ctx, planChanges, (id) => lookAfter(ctx, id));
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
