import type { LoaderFunctionArgs } from "@remix-run/node";
import { invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import { getInvoice, listInvoiceLines } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { InvoiceId } from "#app/domain/ids.ts";
import { formatCents, toCents } from "#app/domain/money.ts";
import { productName } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { moreOnFile, mostOnPaper, pdfAnswer } from "#app/web/pdf-answer.server.ts";
import { monthOf } from "./invoices-page/invoice-columns.tsx";

/** An invoice on paper. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer } = await enterPortal(request, "advertiser", context);
  const invoice = await orNotFoundPage(getInvoice(ctx, idInAddress<InvoiceId>(params.id)));
  const lines = await listInvoiceLines(ctx, { id: invoice.id, limit: mostOnPaper });
  const { number, month, amount, open, status, issuedAt, dueOn, paidAt } = invoice;
  const document = {
    title: `Invoice ${number}`,
    subtitle: `${viewer.companyName} · ${monthOf(month)}`,
    issuer: productName,
    madeAt: issuedAt,
    facts: [
      { label: "Status", value: invoiceStatusLabels[status] },
      { label: "Issued", value: formatDate(issuedAt) },
      paidAt ? { label: "Paid", value: formatDate(paidAt) } : { label: "Due", value: formatDate(dueOn) },
      { label: "Paid or taken off", value: formatCents(toCents(amount - open)) },
      { label: "Open", value: formatCents(open) },
    ],
    table: {
      columns: [
        { head: "Campaign", width: 8 },
        { head: "Amount (USD)", width: 2, right: true },
      ],
      rows: lines.map((line) => [line.description, formatCents(line.amount)]),
      totals: ["Total", formatCents(amount)],
    },
    note: moreOnFile(invoice.lines > lines.length),
  };
  return pdfAnswer(ctx, { request, fileName: `${number}.pdf`, document });
}
