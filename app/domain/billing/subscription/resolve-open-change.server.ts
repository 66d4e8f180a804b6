import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { applyPlanCharge } from "./apply-plan-charge.server.ts";
import { findOpenChange, type PlanChangeRow } from "./find-plan-change.server.ts";
import { finishPlanChange } from "./finish-plan-change.server.ts";
import { isOpenChange } from "./plan-change.ts";

/**
 * Ends a payment in progress when the publisher requests something else: an interrupted payment is finished, and one
 * that waits for confirmation is canceled at the provider. Throws `invalid_transition` while it is still processing,
 * `unavailable`.
 */
export async function resolveOpenChange(ctx: Ctx<PublisherActor>): Promise<void> {
  const open = await findOpenChange(ctx, ctx.actor.accountId);
  if (!open) return;
  const { status } = await finishPlanChange(ctx, { id: open.id });
  if (!isOpenChange(status)) return;
  const row = await findOpenChange(ctx, ctx.actor.accountId);
  if (row && isOpenChange((await cancelUnconfirmedCharge(ctx, row)).status)) throw paymentInProgressError();
}

/**
 * Throws `invalid_transition` when a payment is in progress. Call it with the plan locked, because one may have started
 * since.
 */
export async function requireNoOpenChange(ctx: Ctx, accountId: AccountId): Promise<void> {
  if (await findOpenChange(ctx, accountId)) throw paymentInProgressError();
}

function paymentInProgressError(): DomainError {
  return new DomainError("invalid_transition", "A payment for your plan is processing. Try again when it's done.");
}

/** Cancels a payment that was not confirmed. If it has succeeded meanwhile, the success is applied. */
export async function cancelUnconfirmedCharge(
  ctx: Ctx<PublisherActor | JobActor>,
  row: PlanChangeRow,
): Promise<PlanChangeRow> {
  const { id, accountId, paymentId, status } = row;
  if (status !== "needs_confirmation" || !paymentId) return row;
  const charge = await callProvider(() => paymentProvider(ctx).cancelCharge(paymentId));
  return applyPlanCharge(ctx, { id, accountId, charge, canceled: true });
}
