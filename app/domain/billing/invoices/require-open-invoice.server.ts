import { and, eq, isNotNull } from "drizzle-orm";
import { invoices, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { InvoiceId } from "../../ids.ts";
import type { Cents } from "../../money.ts";

/**
 * Refuses the payment of an invoice of which another amount is open by now, or another payment is on its way: within the caller's
 * transaction, with the account locked. Throws `invalid_transition`.
 */
export async function requireOpenInvoice(
  ctx: Ctx<AdvertiserActor>,
  { id, amount }: { id: InvoiceId; amount: Cents },
): Promise<void> {
  const { accountId } = ctx.actor;
  const own = and(eq(invoices.id, id), eq(invoices.advertiserId, accountId), eq(invoices.openCents, amount));
  const onTheWay = await ctx.db.$count(topUps, and(eq(topUps.invoiceId, id), isNotNull(topUps.dueAt)));
  if (onTheWay > 0) throw new DomainError("invalid_transition", "A payment of this invoice is on its way already.");
  // Asked last: one that was on its way no longer has ended, and is seen here.
  const same = await ctx.db.$count(invoices, own);
  if (same === 0)
    throw new DomainError("invalid_transition", "Another amount is open of this invoice by now. Look at it again.");
}
