import type { LoaderFunctionArgs } from "@remix-run/node";
import { invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import { getInvoice, listInvoiceLines } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { appName } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { InvoiceId } from "#app/domain/ids.ts";
import { asCents, formatCents } from "#app/domain/money.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { formatInvoiceMonth } from "#app/screens/advertiser/billing/invoice-columns.tsx";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { maxPdfLines, pdfResponse, pdfTruncationNote } from "#app/web/pdf-response.server.ts";

/** Exports an invoice as PDF. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer } = await requirePortalAccess(request, "advertiser", context);
  const invoice = await orThrow404(getInvoice(ctx, requireIdParam<InvoiceId>(params.id)));
  const lines = await listInvoiceLines(ctx, { id: invoice.id, limit: maxPdfLines });
  const { number, month, amount, open, status, issuedAt, dueOn, paidAt } = invoice;
  const document = {
    title: `Invoice ${number}`,
    subtitle: `${viewer.companyName} · ${formatInvoiceMonth(month)}`,
    issuer: appName,
    createdAt: issuedAt,
    facts: [
      { label: "Status", value: invoiceStatusLabels[status] },
      { label: "Issued", value: formatDate(issuedAt) },
      paidAt ? { label: "Paid", value: formatDate(paidAt) } : { label: "Due", value: formatDate(dueOn) },
      { label: "Paid or credited", value: formatCents(asCents(amount - open)) },
      { label: "Amount due", value: formatCents(open) },
    ],
    table: {
      columns: [
        { head: "Campaign", width: 8 },
        { head: "Amount (USD)", width: 2, right: true },
      ],
      rows: lines.map((line) => [line.description, formatCents(line.amount)]),
      totals: ["Total", formatCents(amount)],
    },
    note: pdfTruncationNote(invoice.lines > lines.length),
  };
  return pdfResponse(ctx, { request, fileName: `${number}.pdf`, document });
}
