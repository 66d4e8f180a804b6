import { and, eq } from "drizzle-orm";
import { invoices, paymentMethods, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { TopUpId } from "../../ids.ts";
import { formatInvoiceNumber } from "../invoices/invoice.ts";
import { methodName } from "../payment-methods/payment-method.ts";

/**
 * Returns the card of a top-up, also one that was removed, and the number of the invoice that it pays, if any. Throws
 * `not_found`.
 */
export async function describeTopUp(
  ctx: Ctx<AdvertiserActor>,
  { id }: { id: TopUpId },
): Promise<{ card: string; invoice: string | undefined }> {
  const [row] = await ctx.db
    .select({ brand: paymentMethods.brand, lastFour: paymentMethods.lastFour, number: invoices.number })
    .from(topUps)
    .innerJoin(paymentMethods, eq(paymentMethods.id, topUps.paymentMethodId))
    .leftJoin(invoices, eq(invoices.id, topUps.invoiceId))
    .where(and(eq(topUps.id, id), eq(topUps.accountId, ctx.actor.accountId)));
  if (!row) throw notFound("Top-up");
  return { card: methodName(row), invoice: row.number === null ? undefined : formatInvoiceNumber(row.number) };
}

/**
 * Returns the number of the invoice that a provider's payment pays, if any. The request to the provider does not name
 * it: one with the same key and another description is an error, and payments are under way during an upgrade.
 */
export async function findInvoiceOfPayment(
  ctx: Pick<Ctx, "db">,
  { paymentId }: { paymentId: string },
): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ number: invoices.number })
    .from(topUps)
    .innerJoin(invoices, eq(invoices.id, topUps.invoiceId))
    .where(eq(topUps.paymentId, paymentId));
  return row && formatInvoiceNumber(row.number);
}
