import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { z } from "zod";
import { invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import { getInvoice, listInvoiceLines } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { listUsableMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type InvoiceId, idSchema, newId, type PaymentMethodId, type TopUpId } from "#app/domain/ids.ts";
import { formatCents, toCents } from "#app/domain/money.ts";
import { pageTitle, productName } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { MoneyStatus } from "#app/screens/shared/billing/money-status.tsx";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { readSearch } from "#app/web/search-params.server.ts";
import { monthOf } from "./invoices-page/invoice-columns.tsx";
import { InvoiceLines } from "./invoices-page/invoice-lines.tsx";
import { PayInvoice } from "./invoices-page/pay-invoice.tsx";

const searchSchema = z.object({ after: z.coerce.number().int().min(0).max(2_000_000_000).catch(0) });
const formSchema = z.object({
  payment_method_id: idSchema<PaymentMethodId>(),
  idempotency_key: z.uuid("Open this page again"),
});

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await enterPortal(request, "advertiser", context);
  const { after } = readSearch(request, searchSchema);
  const invoice = await orNotFoundPage(getInvoice(ctx, idInAddress<InvoiceId>(params.id)));
  const [lines, methods] = await Promise.all([
    listInvoiceLines(ctx, { id: invoice.id, after }),
    invoice.open > 0 ? listUsableMethods(ctx) : [],
  ]);
  // A new try is a new payment: each time the page is asked for, its form has a key of its own.
  const setUp = arePaymentsSetUp();
  return {
    base,
    companyName: viewer.companyName,
    invoice,
    lines,
    after,
    setUp,
    methods,
    key: newId(),
    checks: checksOf(formSchema),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const { id, number } = await orNotFoundPage(getInvoice(ctx, idInAddress<InvoiceId>(params.id)));
  const page = portalHref(base, `/billing/invoices/${id}`);
  return submitForm(request, formSchema, async ({ payment_method_id, idempotency_key }) => {
    const returnPath = (topUp: TopUpId) => portalHref(base, `/billing/top-ups/${topUp}`);
    const done = await payInvoice(ctx, { id, payment_method_id, key: `invoice/${idempotency_key}`, returnPath });
    if (done.status === "needs_confirmation" && done.confirmUrl) return redirect(done.confirmUrl);
    if (done.status === "pending") return redirect(returnPath(done.id));
    if (done.failure) return redirectWithFlash(page, { tone: "error", message: done.failure });
    return redirectWithFlash(page, { tone: "success", message: `${number} is paid: ${formatCents(done.amount)}.` });
  });
}

export default function InvoicePage() {
  const { base, companyName, invoice, lines, after, setUp, methods, key, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { number, month, amount, open, status, issuedAt, dueOn, paidAt } = invoice;
  const billing = portalHref(base, "/billing");
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: billing, label: "Billing & Spend" },
          { to: `${billing}/invoices`, label: "Invoices" },
        ]}
        here={number}
      />
      <PageHeader
        title={`Invoice ${number}`}
        subtitle={`${companyName} · ${monthOf(month)}`}
        actions={["CSV", "PDF"].map((format) => (
          <a
            key={format}
            className="button"
            href={`${billing}/invoices/${invoice.id}/invoice.${format.toLowerCase()}`}
            download
          >
            <Download aria-hidden />
            {format}
          </a>
        ))}
      />
      <div className="stack">
        {status === "overdue" ? (
          <Notice tone="bad" title={`This invoice was due on ${formatDate(dueOn)}`}>
            {formatCents(open)} is open.
          </Notice>
        ) : null}
        <Card title={`From ${productName}`} aside={<MoneyStatus status={status} label={invoiceStatusLabels[status]} />}>
          <Facts
            facts={[
              { label: "Amount", value: formatCents(amount) },
              ...(open < amount ? [{ label: "Paid or taken off", value: formatCents(toCents(amount - open)) }] : []),
              ...(open > 0 ? [{ label: "Open", value: formatCents(open) }] : []),
              { label: "Issued", value: formatDate(issuedAt) },
              paidAt ? { label: "Paid", value: formatDate(paidAt) } : { label: "Due", value: formatDate(dueOn) },
            ]}
          />
        </Card>
        {open > 0 ? (
          <div className="not-printed">
            <PayInvoice
              base={base}
              invoice={invoice}
              setUp={setUp}
              methods={methods}
              refused={refused}
              checks={checks}
              formKey={key}
            />
          </div>
        ) : null}
        <InvoiceLines lines={lines} after={after} of={invoice.lines} amount={amount} />
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Invoice ${data.invoice.number}` : "Invoice") },
];
