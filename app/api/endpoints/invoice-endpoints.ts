import { z } from "zod";
import { invoiceStatuses } from "#app/domain/billing/invoices/invoice.ts";
import {
  getInvoice,
  type Invoice,
  listInvoiceLines,
  listInvoices,
} from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { InvoiceId } from "#app/domain/ids.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { advertiserEndpoint } from "../endpoint.server.ts";
import { requireId } from "../require-id.ts";
import { lineItemsQuery, pageQuery, pageResponse, timeOrNull, wire } from "../wire.ts";

const invoiceSchema = z.object({
  id: wire.id,
  number: z.string().describe("Sequential number, such as INV-000042"),
  month: z.string().describe("Billing month (UTC), YYYY-MM"),
  amount: wire.dollars,
  open: wire.dollars.describe("Amount due: amount minus payments and credits"),
  status: z.enum(invoiceStatuses),
  issued_at: wire.time,
  due_on: wire.date,
  paid_at: wire.time.nullable(),
});

/** Endpoints for the invoices of advertisers with a credit limit. */
export const invoiceEndpoints = {
  "GET /api/billing/invoices": advertiserEndpoint({
    summary: "List the advertiser's invoices, newest first",
    query: z.object(pageQuery),
    response: z.object({ invoices: z.array(invoiceSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const { rows, nextCursor } = await listInvoices(ctx, query);
      return { invoices: rows.map(invoiceJson), next_cursor: nextCursor };
    },
  }),
  "GET /api/billing/invoices/{id}": advertiserEndpoint({
    summary: "Get an invoice with its line items, which sum to its amount",
    query: z.object(lineItemsQuery),
    response: z.object({
      invoice: invoiceSchema,
      lines: z.array(z.object({ number: wire.count, description: z.string(), amount: wire.dollars })),
      next_after: wire.count
        .nullable()
        .describe("Pass as `after` to get the next 500 line items; null on the last page"),
    }),
    run: async ({ ctx, params, query }) => {
      const id = requireId<InvoiceId>("Invoice", params.id);
      const invoice = await getInvoice(ctx, id);
      const lines = await listInvoiceLines(ctx, { id, after: query.after });
      const last = lines.at(-1)?.number ?? 0;
      return {
        invoice: invoiceJson(invoice),
        lines: lines.map(({ amount, ...line }) => ({ ...line, amount: centsToDollars(amount) })),
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
    amount: centsToDollars(amount),
    open: centsToDollars(open),
    status,
    issued_at: issuedAt.toISOString(),
    due_on: dueOn,
    paid_at: timeOrNull(paidAt),
  };
}
