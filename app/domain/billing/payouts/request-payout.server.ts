import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import type { PayoutId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
import { inLongRequest } from "../../transaction.server.ts";
import { startPayout } from "./start-payout.server.ts";

/**
 * Starts a payout of the whole available balance; with `amount` only if the balance equals it. Throws what
 * `startPayout` throws. It may take two minutes, because each revenue share becomes a line of the payout; another
 * request fails meanwhile.
 */
export async function requestPayout(
  ctx: Ctx<PublisherActor>,
  { amount }: { amount?: Cents },
): Promise<{ id: PayoutId }> {
  return inLongRequest(ctx, async (tx) => {
    const day = calendarDateOf(tx.clock());
    const { id } = await startPayout(tx, { publisherId: tx.actor.accountId, day, amount });
    return { id };
  });
}
