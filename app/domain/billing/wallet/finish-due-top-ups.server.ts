import { topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { TopUpId } from "../../ids.ts";
import { askProvider } from "../payments/ask-provider.server.ts";
import { finishDue } from "../payments/finish-due.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import { applyCharge, finishTopUp, getTopUpRow } from "./finish-top-up.server.ts";

const day = 24 * 3_600_000;

/**
 * Finishes the top-ups whose process was cut off, and looks after those that wait for a person: who has not confirmed within
 * a day does not any more. Gives how many came to an end.
 */
export async function finishDueTopUps(ctx: Ctx<JobActor>): Promise<number> {
  return finishDue(ctx, topUps, (id) => lookAfter(ctx, id));
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
