import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import type { TopUpId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { WaitingPayment } from "#app/screens/shared/billing/waiting-payment.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { toppedUp } from "./wallet/topped-up.server.ts";

/** Where somebody comes back to from the bank: asks how the payment stands. What is over is told at the list. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const topUp = await orNotFoundPage(finishTopUp(ctx, { id: idInAddress<TopUpId>(params.id) }));
  const { status, amount, failure, confirmUrl } = topUp;
  const billing = portalHref(base, "/billing");
  if (topUp.invoiceId && status !== "needs_confirmation" && status !== "pending") {
    const paid = { tone: "success", message: `The invoice is paid: ${formatCents(amount)}.` } as const;
    const flash =
      status === "succeeded" ? paid : ({ tone: "error", message: failure ?? "Nothing was charged." } as const);
    return redirectWithFlash(`${billing}/invoices/${topUp.invoiceId}`, flash);
  }
  if (status === "succeeded") {
    return redirectWithFlash(billing, { tone: "success", message: await toppedUp(ctx, amount) });
  }
  if (failure) return redirectWithFlash(portalHref(base, "/billing/top-up"), { tone: "error", message: failure });
  return { base, status, amount, confirmUrl, paysInvoice: topUp.invoiceId !== null };
}

export default function TopUpState() {
  const { base, status, amount, confirmUrl, paysInvoice } = useLoaderData<typeof loader>();
  const waits = status === "needs_confirmation";
  const what = paysInvoice ? "payment" : "top-up";
  return (
    <>
      <Breadcrumbs
        trail={[{ to: portalHref(base, "/billing"), label: "Billing & Spend" }]}
        here={paysInvoice ? "Payment" : "Top up"}
      />
      <PageHeader title={waits ? `Confirm your ${what}` : `Your ${what} is on its way`} />
      <WaitingPayment waits={waits} amount={amount} confirmUrl={confirmUrl} back={portalHref(base, "/billing")} />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Top up") }];
