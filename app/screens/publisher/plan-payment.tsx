import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { plans } from "#app/domain/billing/plan.ts";
import { finishPlanChange } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { isOpen } from "#app/domain/billing/subscription/plan-change.ts";
import type { PlanChangeId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { WaitingPayment } from "#app/screens/shared/billing/waiting-payment.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { answerPayment } from "./plan/answer-change.server.ts";

/** Where somebody comes back to from the bank: asks how the payment stands. What is over is told where it leads. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const done = await orNotFoundPage(finishPlanChange(ctx, { id: idInAddress<PlanChangeId>(params.id) }));
  if (!isOpen(done.status)) throw await answerPayment(done, base);
  const { status, amount, confirmUrl, planType } = done;
  return { base, status, amount, confirmUrl, planType };
}

export default function PlanPayment() {
  const { base, status, amount, confirmUrl, planType } = useLoaderData<typeof loader>();
  const waits = status === "needs_confirmation";
  const tab = portalHref(base, "/billing?tab=subscription");
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here="Payment" />
      <PageHeader title={waits ? "Confirm your payment" : "Your payment is on its way"} />
      <WaitingPayment
        waits={waits}
        amount={amount}
        confirmUrl={confirmUrl}
        back={tab}
        facts={[{ label: "Plan", value: plans[planType].label }]}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Payment for your plan") }];
