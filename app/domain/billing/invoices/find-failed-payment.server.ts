import { and, eq, inArray } from "drizzle-orm";
import { topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { InvoiceId, PaymentMethodId, TopUpId } from "../../ids.ts";
import { notCompletedMessage } from "../wallet/top-up.ts";

/**
 * Returns the card of a failed payment of the advertiser's invoice, and the message why it failed; undefined if there is
 * no such payment or it has not failed.
 */
export async function findFailedPayment(
  ctx: Ctx<AdvertiserActor>,
  { invoiceId, id }: { invoiceId: InvoiceId; id: TopUpId },
): Promise<{ paymentMethodId: PaymentMethodId; failure: string } | undefined> {
  const isOwn = and(eq(topUps.id, id), eq(topUps.accountId, ctx.actor.accountId), eq(topUps.invoiceId, invoiceId));
  const [row] = await ctx.db
    .select({ paymentMethodId: topUps.paymentMethodId, failure: topUps.failure })
    .from(topUps)
    .where(and(isOwn, inArray(topUps.status, ["failed", "canceled"])));
  return row && { ...row, failure: row.failure ?? notCompletedMessage };
}
