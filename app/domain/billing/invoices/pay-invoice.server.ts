import { and, eq } from "drizzle-orm";
import { invoices, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { InvoiceId, PaymentMethodId, TopUpId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import { type FinishedTopUp, finishTopUp } from "../wallet/finish-top-up.server.ts";
import { topUpWallet } from "../wallet/top-up-wallet.server.ts";
import { invoiceName } from "./invoice.ts";

type Payment = {
  id: InvoiceId;
  payment_method_id: PaymentMethodId;
  /** What makes a repetition one. */
  key: string;
  returnPath: (id: TopUpId) => `/${string}`;
};

/**
 * Pays what is open of an invoice by a payment method: a top-up that pays it, so that it is charged once whatever breaks off. Throws
 * `not_found`, `invalid_transition` when nothing is open or a payment is on its way, and what a top-up throws.
 */
export async function payInvoice(ctx: Ctx<AdvertiserActor>, { id, ...input }: Payment): Promise<FinishedTopUp> {
  const own = eq(topUps.accountId, ctx.actor.accountId);
  const [known] = await ctx.db
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(own, eq(topUps.idempotencyKey, input.key), eq(topUps.invoiceId, id)));
  if (known) return finishTopUp(ctx, known);
  const [row] = await ctx.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id), eq(invoices.advertiserId, ctx.actor.accountId)));
  if (!row) throw notFound("Invoice");
  if (row.openCents === 0) throw new DomainError("invalid_transition", `${invoiceName(row.number)} is paid already`);
  const invoice = { id, name: invoiceName(row.number) };
  return topUpWallet(ctx, { ...input, amount: toCents(row.openCents), invoice });
}
