import { and, eq, inArray, isNull } from "drizzle-orm";
import { topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { InvoiceId, PaymentMethodId, TopUpId } from "../../ids.ts";
import { notCompletedMessage } from "./top-up.ts";

export type FailedTopUp = { id: TopUpId; paymentMethodId: PaymentMethodId; failure: string };

/**
 * Returns the card of the advertiser's failed top-up, or failed payment of the invoice, and the message why it failed;
 * undefined if there is no such payment or it has not failed.
 */
export async function findFailedTopUp(
  ctx: Ctx<AdvertiserActor>,
  { id, invoiceId }: { id: TopUpId; invoiceId: InvoiceId | undefined },
): Promise<FailedTopUp | undefined> {
  const isFor = invoiceId ? eq(topUps.invoiceId, invoiceId) : isNull(topUps.invoiceId);
  const isOwn = and(eq(topUps.id, id), eq(topUps.accountId, ctx.actor.accountId), isFor);
  const [row] = await ctx.db
    .select({ id: topUps.id, paymentMethodId: topUps.paymentMethodId, failure: topUps.failure })
    .from(topUps)
    .where(and(isOwn, inArray(topUps.status, ["failed", "canceled"])));
  return row && { ...row, failure: row.failure ?? notCompletedMessage };
}
