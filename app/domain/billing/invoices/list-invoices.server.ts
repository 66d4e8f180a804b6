import { and, asc, eq, getTableColumns, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { type SortOrder, sortedPage, type TimeOrder } from "#app/domain/sorted-page.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { invoiceLines, invoices, topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { InvoiceId } from "../../ids.ts";
import { asCents } from "../../money.ts";
import type { PageRequest } from "../../page.ts";
import { inSnapshot } from "../../transaction.server.ts";
import { deriveInvoiceStatus, formatInvoiceNumber, type InvoiceSort } from "./invoice.ts";

type InvoiceRow = typeof invoices.$inferSelect;

const dueDay = sql`(${invoices.dueOn} - date '2000-01-01')::bigint`;

/** An advertiser has one invoice a month, so only the order of time has an index. */
const orders: Record<InvoiceSort, SortOrder | TimeOrder> = {
  newest: "newest",
  oldest: "oldest",
  due: { by: dueDay, type: "bigint", descending: true },
  due_first: { by: dueDay, type: "bigint", descending: false },
  amount: { by: sql`${invoices.amountCents}`, type: "bigint", descending: true },
  open: { by: sql`${invoices.openCents}`, type: "bigint", descending: true },
};

/** Lists the advertiser's invoices, newest first by default. */
export async function listInvoices(ctx: Ctx<AdvertiserActor>, input: PageRequest & { sort?: InvoiceSort }) {
  const keyset = sortedPage(input, { order: orders[input.sort ?? "newest"], id: invoices.id });
  const rows = await ctx.db
    .select({ ...getTableColumns(invoices), sortValue: keyset.sortValue })
    .from(invoices)
    .where(and(eq(invoices.advertiserId, ctx.actor.accountId), keyset.where))
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map((row) => toInvoice(ctx, row)) };
}

export type Invoice = Awaited<ReturnType<typeof listInvoices>>["rows"][number];

/** Reads one of the advertiser's invoices, with its pending payment. Throws `not_found`. */
export async function getInvoice(ctx: Ctx<AdvertiserActor>, id: InvoiceId) {
  return inSnapshot(ctx, (tx) => readInvoice(tx, id));
}

async function readInvoice(ctx: Ctx<AdvertiserActor>, id: InvoiceId) {
  const isOwn = and(eq(invoices.id, id), eq(invoices.advertiserId, ctx.actor.accountId));
  const [row] = await ctx.db.select().from(invoices).where(isOwn);
  if (!row) throw notFound("Invoice");
  const [payment] = await ctx.db
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(eq(topUps.invoiceId, id), inArray(topUps.status, ["pending", "needs_confirmation"])));
  const lines = await ctx.db.$count(invoiceLines, eq(invoiceLines.invoiceId, id));
  return { ...toInvoice(ctx, row), lines, paymentId: payment?.id ?? null };
}

/**
 * Lists the lines of an invoice whose number is greater than `after`, in order; none when the invoice is not the
 * advertiser's.
 */
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
  return rows.map(({ cents, ...row }) => ({ ...row, amount: asCents(cents) }));
}

export type InvoiceLine = Awaited<ReturnType<typeof listInvoiceLines>>[number];

/**
 * Returns the open amount of all the advertiser's invoices, in cents, the invoice that is due first, and whether there
 * are any invoices.
 */
export async function summarizeInvoices(ctx: Ctx<AdvertiserActor>) {
  const isOwn = eq(invoices.advertiserId, ctx.actor.accountId);
  const [row] = await ctx.db
    .select({
      all: sqlValue(z.number(), sql`count(*)::int`),
      open: sqlValue(z.string(), sql`coalesce(sum(${invoices.openCents}), 0)::text`),
    })
    .from(invoices)
    .where(isOwn);
  const [first] = await ctx.db
    .select()
    .from(invoices)
    .where(and(isOwn, gt(invoices.openCents, 0)))
    .orderBy(asc(invoices.dueOn), asc(invoices.number))
    .limit(1);
  return {
    any: (row?.all ?? 0) > 0,
    open: asCents(Number(row?.open ?? 0)),
    first: first ? toInvoice(ctx, first) : null,
  };
}

export type InvoiceSummary = Awaited<ReturnType<typeof summarizeInvoices>>;

function toInvoice(ctx: Ctx, { id, number, month, amountCents, openCents, issuedAt, dueOn, paidAt }: InvoiceRow) {
  const [amount, open] = [asCents(amountCents), asCents(openCents)];
  const status = deriveInvoiceStatus({ open, dueOn }, ctx.clock());
  return { id, number: formatInvoiceNumber(number), month, amount, open, issuedAt, dueOn, paidAt, status };
}
