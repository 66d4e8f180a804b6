import { and, eq } from "drizzle-orm";
import { invoices, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { InvoiceId, PaymentMethodId, TopUpId } from "../../ids.ts";
import { asCents, type Cents } from "../../money.ts";
import { finishTopUpForPage, type TopUpResult } from "../wallet/finish-top-up.server.ts";
import { topUpWalletFromPage } from "../wallet/top-up-wallet.server.ts";
import { formatInvoiceNumber } from "./invoice.ts";

type Payment = {
  id: InvoiceId;
  /** The open amount that the advertiser saw. The payment is rejected if it has changed since. */
  amount?: Cents;
  payment_method_id: PaymentMethodId;
  /** The idempotency key: the same key means the same payment. */
  key: string;
  returnPath: (id: TopUpId) => `/${string}`;
};

/**
 * Pays the open amount of an invoice with a payment method, as a top-up for the invoice, so that it is charged once
 * even after an interruption. Throws `not_found`, `invalid_transition` when nothing or another amount is open or
 * another payment is processing, and what a top-up from a page throws.
 */
export async function payInvoice(ctx: Ctx<AdvertiserActor>, { id, ...input }: Payment): Promise<TopUpResult> {
  const isOwn = eq(topUps.accountId, ctx.actor.accountId);
  const [existing] = await ctx.db
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(isOwn, eq(topUps.idempotencyKey, input.key), eq(topUps.invoiceId, id)));
  if (existing) return finishTopUpForPage(ctx, existing);
  const [row] = await ctx.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id), eq(invoices.advertiserId, ctx.actor.accountId)));
  if (!row) throw notFound("Invoice");
  if (row.openCents === 0)
    throw new DomainError("invalid_transition", `${formatInvoiceNumber(row.number)} is already paid`);
  const invoice = { id, name: formatInvoiceNumber(row.number) };
  return topUpWalletFromPage(ctx, { amount: asCents(row.openCents), ...input, invoice });
}
