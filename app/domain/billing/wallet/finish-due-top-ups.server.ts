import { and, asc, lte, sql } from "drizzle-orm";
import { topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { TopUpId } from "../../ids.ts";
import { askProvider } from "../payments/ask-provider.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import { applyCharge, finishTopUp, getTopUpRow } from "./finish-top-up.server.ts";

/** In one run, so that a run ends; the next goes on. */
const most = 200;
const day = 24 * 3_600_000;

/**
 * Finishes the top-ups whose process was cut off, and looks after those that wait for a person: who has not confirmed within
 * a day does not any more. Gives how many came to an end.
 */
export async function finishDueTopUps(ctx: Ctx<JobActor>): Promise<number> {
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

async function lookAfter(ctx: Ctx<JobActor>, id: TopUpId): Promise<boolean> {
  const row = await getTopUpRow(ctx, id);
  const late = ctx.clock().getTime() - row.createdAt.getTime() > day;
  const { paymentId } = row;
  if (row.status !== "needs_confirmation" || !late || !paymentId) {
    return (await finishTopUp(ctx, { id })).status !== row.status;
  }
  const charge = await askProvider(() => paymentProvider(ctx).cancelCharge(paymentId));
  return (await applyCharge(ctx, { id, charge, canceled: true })).status !== row.status;
}

/** One at a time, so that several processes share them. */
async function takeDue(ctx: Ctx<JobActor>): Promise<TopUpId | undefined> {
  const now = ctx.clock();
  const due = ctx.db
    .select({ id: topUps.id })
    .from(topUps)
    .where(lte(topUps.dueAt, now))
    .orderBy(asc(topUps.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await ctx.db
    .update(topUps)
    .set({ dueAt: new Date(now.getTime() + 120_000) })
    .where(and(sql`${topUps.id} = (${due})`, lte(topUps.dueAt, now)))
    .returning({ id: topUps.id });
  return row?.id;
}
