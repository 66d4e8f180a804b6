import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { describeTopUp } from "#app/domain/billing/wallet/describe-top-up.server.ts";
import { finishTopUpForPage } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { notCompletedMessage } from "#app/domain/billing/wallet/top-up.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { TopUpId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { detourNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { invoiceFormHref } from "#app/screens/advertiser/billing/invoice-form-href.ts";
import { topUpFormHref } from "#app/screens/advertiser/billing/top-up-form-href.ts";
import { topUpMessage } from "#app/screens/advertiser/billing/top-up-message.server.ts";
import { PendingPayment } from "#app/screens/shared/billing/pending-payment.tsx";
import { Link } from "#app/ui/link.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/**
 * The return URL of the bank's confirmation. Refreshes the payment's status; once it is final, redirects with a
 * message.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const topUp = await orThrow404(finishTopUpForPage(ctx, { id: requireIdParam<TopUpId>(params.id) }));
  const { status, amount, failure, confirmUrl } = topUp;
  const billing = portalHref(base, "/billing");
  const next = detourNext(request.url, base);
  if (topUp.invoiceId && status === "succeeded") {
    const message = `Invoice paid: ${formatCents(amount)}`;
    return redirectWithFlash(`${billing}/invoices/${topUp.invoiceId}`, { tone: "success", message });
  }
  if (topUp.invoiceId && status !== "needs_confirmation" && status !== "pending") {
    const form = invoiceFormHref(base, { id: topUp.invoiceId, method: topUp.paymentMethodId, payment: topUp.id });
    return redirectWithFlash(form, { tone: "error", message: failure ?? notCompletedMessage });
  }
  if (status === "succeeded") {
    return redirectWithFlash(next ?? billing, { tone: "success", message: await topUpMessage(ctx, amount) });
  }
  if (failure) {
    const form = topUpFormHref(base, { amount, method: topUp.paymentMethodId, payment: topUp.id, next });
    return redirectWithFlash(form, { tone: "error", message: failure });
  }
  return {
    billing,
    next,
    status,
    amount,
    confirmUrl,
    invoiceId: topUp.invoiceId,
    ...(await describeTopUp(ctx, topUp)),
  };
}

export default function TopUpResult() {
  const { billing, next, status, amount, confirmUrl, invoiceId, invoice, card } = useLoaderData<typeof loader>();
  const needsConfirmation = status === "needs_confirmation";
  const what = invoice ? "payment" : "top-up";
  const invoiceLink = (
    <Link className="link" to={`${billing}/invoices/${invoiceId}`}>
      {invoice}
    </Link>
  );
  return (
    <>
      <Breadcrumbs trail={[{ to: billing, label: "Billing & Spend" }]} here={invoice ? "Payment" : "Top up"} />
      <PageHeader title={needsConfirmation ? `Confirm your ${what}` : `Your ${what} is processing`} />
      <PendingPayment
        needsConfirmation={needsConfirmation}
        amount={amount}
        confirmUrl={confirmUrl}
        billing={billing}
        next={next}
        facts={[...(invoice ? [{ label: "Invoice", value: invoiceLink }] : []), { label: "Card", value: card }]}
      />
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data?.invoice ? `Payment of invoice ${data.invoice}` : "Top up") },
];
