import { and, eq, lte } from "drizzle-orm";
import { planChanges, subscriptions } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { PlanChangeId } from "../../ids.ts";
import { finishDuePayments } from "../charges/finish-due-payments.server.ts";
import { getChangeRow, type PlanChangeRow } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";
import { cancelUnconfirmedCharge } from "./resolve-open-change.server.ts";

const dayMs = 24 * 3_600_000;

/**
 * Finishes the plan payments whose process was interrupted, and those that wait for confirmation: they are canceled
 * after a day, or when their period has ended. Returns how many reached a final status.
 */
export async function finishDuePlanChanges(ctx: Ctx<JobActor>): Promise<number> {
  return finishDuePayments(ctx, planChanges, (id) => finishOne(ctx, id));
}

async function finishOne(ctx: Ctx<JobActor>, id: PlanChangeId): Promise<boolean> {
  const row = await getChangeRow(ctx, id);
  if (row.status === "needs_confirmation" && (await isTooLate(ctx, row))) {
    return (await cancelUnconfirmedCharge(ctx, row)).status !== row.status;
  }
  return (await finishPlanChange(ctx, { id })).status !== row.status;
}

async function isTooLate(ctx: Ctx<JobActor>, row: PlanChangeRow): Promise<boolean> {
  const now = ctx.clock();
  if (now.getTime() - row.createdAt.getTime() > dayMs) return true;
  if (row.kind !== "upgrade" || !row.subscriptionId) return false;
  const isEnded = and(eq(subscriptions.id, row.subscriptionId), lte(subscriptions.periodEndsAt, now));
  return (await ctx.db.$count(subscriptions, isEnded)) > 0;
}
