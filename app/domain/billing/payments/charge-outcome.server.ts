import { type SQL, sql } from "drizzle-orm";
import type { Charge } from "#app/payments/payment-provider.ts";
import type { planChanges, topUps } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";

const statuses = {
  succeeded: "succeeded",
  declined: "failed",
  needs_confirmation: "needs_confirmation",
  processing: "pending",
} as const satisfies Record<Charge["state"], string>;

type Outcome = (typeof statuses)[Charge["state"]] | "canceled";

/** What a payment is after its charge; `canceled` where it was we who called it off. */
export function statusAfter(charge: Charge, { canceled }: { canceled: boolean }): Outcome {
  return charge.state === "declined" && canceled ? "canceled" : statuses[charge.state];
}

/** What a payment's row keeps of its charge. One that waits for a person is looked at again soon, any other is over. */
export function outcomeOf(ctx: Ctx, { charge, before }: { charge: Charge; before: { paymentId: string | null } }) {
  const waits = charge.state === "needs_confirmation";
  return {
    paymentId: charge.paymentId ?? before.paymentId,
    failure: charge.state === "declined" ? charge.reason : null,
    confirmUrl: waits ? charge.url : null,
    dueAt: waits ? soon(ctx) : null,
  };
}

/** When one that says nothing new is looked at again: not before what was planned. */
export function soonAtLeast(ctx: Ctx, { dueAt }: Pick<typeof planChanges | typeof topUps, "dueAt">): SQL {
  return sql`greatest(${dueAt}, ${soon(ctx).toISOString()}::timestamptz)`;
}

function soon(ctx: Ctx): Date {
  return new Date(ctx.clock().getTime() + 60_000);
}
