import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { invoiceLines, invoices, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { InvoiceId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import { newestFirst } from "../../newest-first.server.ts";
import type { PageRequest } from "../../page.ts";
import { invoiceName, invoiceStatusOf } from "./invoice.ts";

type InvoiceRow = typeof invoices.$inferSelect;

/** The advertiser's invoices, newest first. */
export async function listInvoices(ctx: Ctx<AdvertiserActor>, input: PageRequest) {
  const newest = newestFirst(input, invoices.id);
  const rows = await ctx.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.advertiserId, ctx.actor.accountId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map((row) => shown(ctx, row)) };
}

export type Invoice = Awaited<ReturnType<typeof listInvoices>>["rows"][number];

/** One of the advertiser's invoices, and the payment of it that is on its way. Throws `not_found`. */
export async function getInvoice(ctx: Ctx<AdvertiserActor>, id: InvoiceId) {
  const own = and(eq(invoices.id, id), eq(invoices.advertiserId, ctx.actor.accountId));
  const [row] = await ctx.db.select().from(invoices).where(own);
  if (!row) throw notFound("Invoice");
  const [payment] = await ctx.db
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(eq(topUps.invoiceId, id), inArray(topUps.status, ["pending", "needs_confirmation"])));
  const lines = await ctx.db.$count(invoiceLines, eq(invoiceLines.invoiceId, id));
  return { ...shown(ctx, row), lines, paymentId: payment?.id ?? null };
}

/** An invoice's lines in their order, from after a number on. Throws `not_found`. */
export async function listInvoiceLines(
  ctx: Ctx<AdvertiserActor>,
  { id, after = 0, limit = 500 }: { id: InvoiceId; after?: number; limit?: number },
) {
  const rows = await ctx.db
    .select({ number: invoiceLines.number, description: invoiceLines.description, cents: invoiceLines.amountCents })
    .from(invoiceLines)
    .innerJoin(invoices, eq(invoices.id, invoiceLines.invoiceId))
    .where(and(eq(invoices.id, id), eq(invoices.advertiserId, ctx.actor.accountId), gt(invoiceLines.number, after)))
    .orderBy(asc(invoiceLines.number))
    .limit(limit);
  return rows.map(({ cents, ...row }) => ({ ...row, amount: toCents(cents) }));
}

export type InvoiceLine = Awaited<ReturnType<typeof listInvoiceLines>>[number];

/** What is open on the advertiser's invoices, the one due first, and whether there is any invoice. */
export async function summarizeInvoices(ctx: Ctx<AdvertiserActor>) {
  const own = eq(invoices.advertiserId, ctx.actor.accountId);
  const [row] = await ctx.db
    .select({
      all: sqlValue(z.number(), sql`count(*)::int`),
      open: sqlValue(z.string(), sql`coalesce(sum(${invoices.openCents}), 0)::text`),
    })
    .from(invoices)
    .where(own);
  const [first] = await ctx.db
    .select()
    .from(invoices)
    .where(and(own, gt(invoices.openCents, 0)))
    .orderBy(asc(invoices.dueOn), asc(invoices.number))
    .limit(1);
  return { any: (row?.all ?? 0) > 0, open: toCents(Number(row?.open ?? 0)), first: first ? shown(ctx, first) : null };
}

export type InvoiceSummary = Awaited<ReturnType<typeof summarizeInvoices>>;

function shown(ctx: Ctx, { id, number, month, amountCents, openCents, issuedAt, dueOn, paidAt }: InvoiceRow) {
  const [amount, open] = [toCents(amountCents), toCents(openCents)];
  const status = invoiceStatusOf({ open, dueOn }, ctx.clock());
  return { id, number: invoiceName(number), month, amount, open, issuedAt, dueOn, paidAt, status };
}
