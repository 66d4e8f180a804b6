import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { askProvider } from "../payments/ask-provider.server.ts";
import { paymentProvider } from "../payments/provider-of.server.ts";
import { applyPlanCharge } from "./apply-plan-charge.server.ts";
import { findOpenChange, type PlanChangeRow } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";
import { isOpen } from "./plan-change.ts";

/**
 * Brings a payment to its end that is under way when the publisher wants something else: what was cut off is finished, what
 * waits for a confirmation is called off at the provider. Throws `invalid_transition` when there is no end yet, `unavailable`.
 */
export async function settleOpenChange(ctx: Ctx<PublisherActor>): Promise<void> {
  const open = await findOpenChange(ctx, ctx.actor.accountId);
  if (!open) return;
  const { status } = await finishPlanChange(ctx, { id: open.id });
  if (!isOpen(status)) return;
  const row = await findOpenChange(ctx, ctx.actor.accountId);
  if (row && isOpen((await callOff(ctx, row)).status)) throw onItsWay();
}

/** The same once the plan is locked: one may have begun since. Throws `invalid_transition`. */
export async function refuseOpenChange(ctx: Ctx<PublisherActor>): Promise<void> {
  if (await findOpenChange(ctx, ctx.actor.accountId)) throw onItsWay();
}

function onItsWay(): DomainError {
  return new DomainError("invalid_transition", "A payment for your plan is on its way. Wait until it has ended.");
}

/** Ends a payment that nobody confirmed. It may have succeeded meanwhile: then it did. */
export async function callOff(ctx: Ctx<PublisherActor | JobActor>, row: PlanChangeRow): Promise<PlanChangeRow> {
  const { id, accountId, paymentId, status } = row;
  if (status !== "needs_confirmation" || !paymentId) return row;
  const charge = await askProvider(() => paymentProvider(ctx).cancelCharge(paymentId));
  return applyPlanCharge(ctx, { id, accountId, charge, canceled: true });
}
