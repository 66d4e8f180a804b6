import { and, eq, isNotNull } from "drizzle-orm";
import { invoices, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { InvoiceId } from "../../ids.ts";
import type { Cents } from "../../money.ts";

/**
 * Throws `invalid_transition` when the open amount of the invoice differs from `amount`, or another payment for the
 * invoice is processing. Call it within the caller's transaction, with the account locked.
 */
export async function requireOpenInvoice(
  ctx: Ctx<AdvertiserActor>,
  { id, amount }: { id: InvoiceId; amount: Cents },
): Promise<void> {
  const { accountId } = ctx.actor;
  const isUnchanged = and(eq(invoices.id, id), eq(invoices.advertiserId, accountId), eq(invoices.openCents, amount));
  const processing = await ctx.db.$count(topUps, and(eq(topUps.invoiceId, id), isNotNull(topUps.dueAt)));
  if (processing > 0) throw new DomainError("invalid_transition", "A payment for this invoice is already processing");
  // The open amount is checked last: a payment that ended meanwhile is reflected in it.
  const unchanged = await ctx.db.$count(invoices, isUnchanged);
  if (unchanged === 0)
    throw new DomainError(
      "invalid_transition",
      "The amount due on this invoice has changed. Check the new amount and try again.",
    );
}
