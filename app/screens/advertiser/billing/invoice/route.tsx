import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import { getInvoice, listInvoiceLines } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { listUsableMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { findFailedTopUp } from "#app/domain/billing/wallet/find-failed-top-up.server.ts";
import { appName, pageTitle } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type InvoiceId, idSchema, newId, type PaymentMethodId, parseId, type TopUpId } from "#app/domain/ids.ts";
import { asCents, dollarsSchema, formatCents } from "#app/domain/money.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { formatInvoiceMonth } from "#app/screens/advertiser/billing/invoice-columns.tsx";
import { invoiceFormHref } from "#app/screens/advertiser/billing/invoice-form-href.ts";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import { MoneyDefinitions } from "#app/screens/shared/billing/money-definitions.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";
import { InvoiceLines } from "./invoice-lines.tsx";
import { PayInvoiceForm } from "./pay-invoice.tsx";

const searchSchema = z.object({
  after: z.coerce.number().int().min(0).max(2_000_000_000).catch(0),
  method: z.string().catch(""),
  payment: z.string().catch(""),
});
const formSchema = z.object({
  payment_method_id: idSchema<PaymentMethodId>(),
  amount: dollarsSchema(),
  idempotency_key: z.uuid("Reload this page and try again"),
});

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await requirePortalAccess(request, "advertiser", context);
  const { after, method, payment } = parseSearchParams(request, searchSchema);
  const invoice = await orThrow404(getInvoice(ctx, requireIdParam<InvoiceId>(params.id)));
  const failedId = parseId<TopUpId>(payment);
  const [lines, methods, failed] = await Promise.all([
    listInvoiceLines(ctx, { id: invoice.id, after }),
    invoice.open > 0 ? listUsableMethods(ctx) : [],
    failedId && invoice.open > 0 ? findFailedTopUp(ctx, { id: failedId, invoiceId: invoice.id }) : undefined,
  ]);
  // Each page load gets a new idempotency key, so that a retry is a new payment.
  const paymentsEnabled = arePaymentsSetUp();
  return {
    base,
    companyName: viewer.companyName,
    invoice,
    lines,
    after,
    paymentsEnabled,
    methods,
    method,
    payment,
    failed,
    key: newId(),
    checks: checksOf(formSchema),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const { id, number } = await orThrow404(getInvoice(ctx, requireIdParam<InvoiceId>(params.id)));
  const page = portalHref(base, `/billing/invoices/${id}`);
  return handleForm(request, formSchema, async ({ idempotency_key, ...input }) => {
    const returnPath = (topUp: TopUpId) => portalHref(base, `/billing/top-ups/${topUp}`);
    const done = await payInvoice(ctx, { ...input, id, key: `invoice/${idempotency_key}`, returnPath });
    if (done.status === "needs_confirmation" && done.confirmUrl) return redirect(done.confirmUrl);
    if (done.status === "pending") return redirect(returnPath(done.id));
    if (done.failure) {
      const form = invoiceFormHref(base, { id, method: input.payment_method_id, payment: done.id });
      return redirectWithFlash(form, { tone: "error", message: done.failure });
    }
    return redirectWithFlash(page, { tone: "success", message: `${number} paid: ${formatCents(done.amount)}` });
  });
}

/** A rejected form gets a new idempotency key, because it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function InvoicePage() {
  const { base, companyName, invoice, lines, after, paymentsEnabled, methods, method, payment, failed, key, checks } =
    useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
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
        subtitle={`${companyName} · ${formatInvoiceMonth(month)}`}
        actions={["CSV", "PDF"].map((format) => (
          <a key={format} className="button" href={`${billing}/invoices/${invoice.id}/invoice.${format.toLowerCase()}`}>
            <Icon name="download" />
            {format}
          </a>
        ))}
      />
      <div className="stack">
        {status === "overdue" ? (
          <Notice tone="bad" title={`This invoice is overdue: it was due on ${formatDate(dueOn)}`}>
            {formatCents(open)} is due. Pay this invoice below.
          </Notice>
        ) : null}
        <Card
          title={`From ${appName}`}
          aside={<BillingStatusBadge status={status} label={invoiceStatusLabels[status]} />}
        >
          <DescriptionList
            facts={[
              { label: "Amount", value: formatCents(amount) },
              ...(open < amount ? [{ label: "Paid or credited", value: formatCents(asCents(amount - open)) }] : []),
              ...(open > 0 ? [{ label: "Amount due", value: formatCents(open) }] : []),
              { label: "Issued", value: formatDate(issuedAt) },
              paidAt ? { label: "Paid", value: formatDate(paidAt) } : { label: "Due", value: formatDate(dueOn) },
            ]}
          />
        </Card>
        {open > 0 ? <MoneyDefinitions terms={["amount_due"]} /> : null}
        {open > 0 ? (
          <div className="not-printed">
            <PayInvoiceForm
              key={`${method} ${payment}`}
              base={base}
              invoice={invoice}
              paymentsEnabled={paymentsEnabled}
              methods={methods}
              method={method}
              failed={failed}
              rejected={rejected}
              checks={checks}
              idempotencyKey={key}
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
