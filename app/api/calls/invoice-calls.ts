import { z } from "zod";
import { invoiceStatuses } from "#app/domain/billing/invoices/invoice.ts";
import {
  getInvoice,
  type Invoice,
  listInvoiceLines,
  listInvoices,
} from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { InvoiceId } from "#app/domain/ids.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { advertiserCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { pageAnswer, pageQuery, timeOrNull, wire } from "../wire.ts";

const invoiceSchema = z.object({
  id: wire.id,
  number: z.string().describe("INV-000042: without a gap"),
  month: z.string().describe("YYYY-MM, the month (UTC) after which it was issued"),
  amount: wire.dollars,
  open: wire.dollars.describe("What was neither paid nor taken off, 0 when it is paid"),
  status: z.enum(invoiceStatuses),
  issued_at: wire.time,
  due_on: wire.date,
  paid_at: wire.time.nullable(),
});

/** Calls about what an advertiser that may owe is asked for. */
export const invoiceCalls = {
  "GET /api/billing/invoices": advertiserCall({
    summary: "The advertiser's invoices, newest first",
    query: z.object(pageQuery),
    answer: z.object({ invoices: z.array(invoiceSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const { rows, nextCursor } = await listInvoices(ctx, query);
      return { invoices: rows.map(invoiceJson), next_cursor: nextCursor };
    },
  }),
  "GET /api/billing/invoices/{id}": advertiserCall({
    summary: "An invoice with its lines: they sum to its amount",
    query: z.object({ after: z.coerce.number().int().min(0).max(2_000_000_000).optional().meta({ type: "integer" }) }),
    answer: z.object({
      invoice: invoiceSchema,
      lines: z.array(z.object({ number: wire.count, description: z.string(), amount: wire.dollars })),
      next_after: wire.count.nullable().describe("As `after` it gives the next 500 lines; null on the last page"),
    }),
    run: async ({ ctx, params, query }) => {
      const id = requireId<InvoiceId>("Invoice", params.id);
      const invoice = await getInvoice(ctx, id);
      const lines = await listInvoiceLines(ctx, { id, after: query.after });
      const last = lines.at(-1)?.number ?? 0;
      return {
        invoice: invoiceJson(invoice),
        lines: lines.map(({ amount, ...line }) => ({ ...line, amount: dollarsOf(amount) })),
        next_after: last > 0 && last < invoice.lines ? last : null,
      };
    },
  }),
};

function invoiceJson({ id, number, month, amount, open, status, issuedAt, dueOn, paidAt }: Invoice) {
  return {
    id,
    number,
    month: month.slice(0, 7),
    amount: dollarsOf(amount),
    open: dollarsOf(open),
    status,
    issued_at: issuedAt.toISOString(),
    due_on: dueOn,
    paid_at: timeOrNull(paidAt),
  };
}
