import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/payment-provider.ts";
import type { planChanges, topUps } from "#db/schema/index.ts";

const statuses = {
  succeeded: "succeeded",
  declined: "failed",
  needs_confirmation: "needs_confirmation",
  processing: "pending",
} as const satisfies Record<Charge["state"], string>;

type Outcome = (typeof statuses)[Charge["state"]] | "canceled";

/** Returns the status of a payment after its charge; `canceled` when we canceled the charge ourselves. */
export function statusFromCharge(charge: Charge, { canceled }: { canceled: boolean }): Outcome {
  return charge.state === "declined" && canceled ? "canceled" : statuses[charge.state];
}

/**
 * Returns the columns of a payment to update after its charge. A payment that waits for confirmation is checked again
 * in a minute; any other payment is final.
 */
export function chargeUpdate(ctx: Ctx, { charge, before }: { charge: Charge; before: { paymentId: string | null } }) {
  const awaitsConfirmation = charge.state === "needs_confirmation";
  return {
    paymentId: charge.paymentId ?? before.paymentId,
    failure: charge.state === "declined" ? charge.reason : null,
    confirmUrl: awaitsConfirmation ? charge.url : null,
    dueAt: awaitsConfirmation ? inOneMinute(ctx) : null,
  };
}

/** Returns when an unchanged payment is checked again: in a minute, but not before the time already planned. */
export function nextCheckAt(ctx: Ctx, { dueAt }: Pick<typeof planChanges | typeof topUps, "dueAt">): SQL {
  return sql`greatest(${dueAt}, ${inOneMinute(ctx).toISOString()}::timestamptz)`;
}

function inOneMinute(ctx: Ctx): Date {
  return new Date(ctx.clock().getTime() + 60_000);
}
