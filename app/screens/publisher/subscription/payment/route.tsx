import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { plans } from "#app/domain/billing/plan.ts";
import { findPlanPaymentCard } from "#app/domain/billing/subscription/find-plan-payment-card.server.ts";
import { finishPlanChangeForPage } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { isOpenChange } from "#app/domain/billing/subscription/plan-change.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { PlanChangeId } from "#app/domain/ids.ts";
import { detourNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectAfterPayment } from "#app/screens/publisher/subscription/plan-payment-redirect.server.ts";
import { PendingPayment } from "#app/screens/shared/billing/pending-payment.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/**
 * The return URL of the bank's confirmation. Refreshes the payment's status; once it is final, redirects to the next
 * page.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const done = await orThrow404(finishPlanChangeForPage(ctx, { id: requireIdParam<PlanChangeId>(params.id) }));
  const next = detourNext(request.url, base);
  if (!isOpenChange(done.status)) throw await redirectAfterPayment(done, base, next);
  const { status, amount, confirmUrl, planType } = done;
  const card = await findPlanPaymentCard(ctx, done);
  return { billing: portalHref(base, "/billing?tab=subscription"), next, status, amount, confirmUrl, planType, card };
}

export default function PlanPayment() {
  const { billing, next, status, amount, confirmUrl, planType, card } = useLoaderData<typeof loader>();
  const needsConfirmation = status === "needs_confirmation";
  return (
    <>
      <Breadcrumbs trail={[{ to: billing, label: "Subscription" }]} here="Payment" />
      <PageHeader title={needsConfirmation ? "Confirm your payment" : "Your payment is processing"} />
      <PendingPayment
        needsConfirmation={needsConfirmation}
        amount={amount}
        confirmUrl={confirmUrl}
        billing={billing}
        next={next}
        facts={[{ label: "Plan", value: plans[planType].label }, ...(card ? [{ label: "Card", value: card }] : [])]}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Payment for your plan") }];
