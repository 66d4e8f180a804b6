import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { TopUpId } from "../../ids.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { finishDuePayments } from "../charges/finish-due-payments.server.ts";
import { applyTopUpCharge, finishTopUp, getTopUpRow } from "./finish-top-up.server.ts";

const dayMs = 24 * 3_600_000;

/**
 * Finishes the top-ups whose process was interrupted, and cancels those that were not confirmed within a day. Returns
 * how many reached a final status.
 */
export async function finishDueTopUps(ctx: Ctx<JobActor>): Promise<number> {
  return finishDuePayments(ctx, topUps, (id) => finishOne(ctx, id));
}

async function finishOne(ctx: Ctx<JobActor>, id: TopUpId): Promise<boolean> {
  const row = await getTopUpRow(ctx, id);
  const isExpired = ctx.clock().getTime() - row.createdAt.getTime() > dayMs;
  const { paymentId } = row;
  if (row.status !== "needs_confirmation" || !isExpired || !paymentId) {
    return (await finishTopUp(ctx, { id })).status !== row.status;
  }
  const charge = await callProvider(() => paymentProvider(ctx).cancelCharge(paymentId));
  return (await applyTopUpCharge(ctx, { id, charge, canceled: true })).status !== row.status;
}
