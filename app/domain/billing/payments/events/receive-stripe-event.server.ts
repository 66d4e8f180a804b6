import { and, eq, isNull } from "drizzle-orm";
import { readStripeEvent, type StripeNews } from "#app/payments/stripe/stripe-events.server.ts";
import { providerEvents } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import { invalidInput } from "../../../errors.ts";
import { followConnectedAccount } from "../../payouts/stripe/follow-payout-account.server.ts";
import { wakePayout } from "../../payouts/stripe/wake-payout.server.ts";
import { askProvider } from "../ask-provider.server.ts";
import { followMethod, takeAddedMethod } from "./follow-methods.server.ts";
import { followPayment } from "./follow-payment.server.ts";
import { followTakenBack } from "./follow-taken-back.server.ts";

/**
 * Takes a message of Stripe's, once: what it is about is asked of Stripe, so that messages may come in any order, and what was cut off
 * is done when the message comes again. Gives whether it had an effect, and whose money went back, for the operator's log. Throws
 * `invalid_input` for what is not Stripe's, or too old, and `unavailable` when it has to come again.
 */
export async function receiveStripeEvent(
  ctx: Ctx<JobActor>,
  message: { body: Buffer; signature: string },
): Promise<{ type: string; done: boolean; alarm: boolean }> {
  const event = await readStripeEvent(message);
  if (!event) throw invalidInput({}, "This message was not signed by the payment provider, or is too old");
  const { id: reference, type, news } = event;
  const row = { provider: "stripe" as const, reference, type };
  await ctx.db
    .insert(providerEvents)
    .values({ ...row, receivedAt: ctx.clock() })
    .onConflictDoNothing();
  const open = and(
    eq(providerEvents.provider, "stripe"),
    eq(providerEvents.reference, reference),
    isNull(providerEvents.doneAt),
  );
  if ((await ctx.db.$count(providerEvents, open)) === 0) return { type, done: false, alarm: false };
  const alarm = await askProvider(() => follow(ctx, news));
  const done = await ctx.db.update(providerEvents).set({ doneAt: ctx.clock() }).where(open);
  return { type, done: done.count > 0, alarm };
}

/** True where the operator should look at it. Each of them may be done again. */
async function follow(ctx: Ctx<JobActor>, news: StripeNews): Promise<boolean> {
  switch (news.about) {
    case "page":
      await takeAddedMethod(ctx, news);
      return false;
    case "method":
      await followMethod(ctx, news);
      return false;
    case "payment":
      return followPayment(ctx, news);
    case "dispute":
    case "refund":
      return followTakenBack(ctx, news);
    case "account":
      await followConnectedAccount(ctx, news);
      return false;
    case "payout":
      await wakePayout(ctx, news);
      return false;
    case "nothing":
      return false;
  }
}
