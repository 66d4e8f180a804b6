import { and, eq, isNull } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { readStripeEvent, type StripeEventSubject } from "#app/domain/payments/stripe/stripe-events.server.ts";
import { providerEvents } from "#db/schema/index.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { reschedulePayout } from "../payouts/reschedule-payout.server.ts";
import { syncConnectedAccount } from "../payouts/sync-connected-account.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { completePaymentMethodSetup, syncPaymentMethod } from "./sync-payment-methods.server.ts";
import { syncReversals } from "./sync-reversals.server.ts";

/**
 * Processes a Stripe event, once. The current state of the event's subject is read from Stripe, so that events may
 * arrive in any order; an interrupted event is processed when Stripe redelivers it. `done` says whether this call
 * processed the event, `needsAttention` whether the operator should look at it. Throws `invalid_input` for an invalid
 * signature or an event that is too old, and `unavailable` when Stripe has to redeliver it.
 */
export async function receiveStripeEvent(
  ctx: Ctx<JobActor>,
  message: { body: Buffer; signature: string },
): Promise<{ type: string; done: boolean; needsAttention: boolean }> {
  const event = await readStripeEvent(message);
  if (!event) throw invalidInput({}, "The signature is invalid or the event is too old");
  const { id: reference, type, subject } = event;
  const row = { provider: "stripe" as const, reference, type };
  await ctx.db
    .insert(providerEvents)
    .values({ ...row, receivedAt: ctx.clock() })
    .onConflictDoNothing();
  const open = and(
    eq(providerEvents.provider, "stripe"),
    eq(providerEvents.reference, reference),
    isNull(providerEvents.processedAt),
  );
  if ((await ctx.db.$count(providerEvents, open)) === 0) return { type, done: false, needsAttention: false };
  const needsAttention = await callProvider(() => applyEvent(ctx, subject));
  const done = await ctx.db.update(providerEvents).set({ processedAt: ctx.clock() }).where(open);
  return { type, done: done.count > 0, needsAttention };
}

/** Applies an event and returns whether the operator should look at it. Every case is safe to repeat. */
async function applyEvent(ctx: Ctx<JobActor>, subject: StripeEventSubject): Promise<boolean> {
  switch (subject.kind) {
    case "page":
      await completePaymentMethodSetup(ctx, subject);
      return false;
    case "method":
      await syncPaymentMethod(ctx, subject);
      return false;
    case "payment":
      return syncPayment(ctx, subject);
    case "dispute":
    case "refund":
      return syncReversals(ctx, subject);
    case "account":
      await syncConnectedAccount(ctx, subject);
      return false;
    case "payout":
      await reschedulePayout(ctx, subject);
      return false;
    case "nothing":
      return false;
  }
}
