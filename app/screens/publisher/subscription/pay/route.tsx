import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { payPastDue } from "#app/domain/billing/subscription/pay-past-due.server.ts";
import { readPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { newId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { findFailed } from "#app/screens/publisher/subscription/find-failed.server.ts";
import { PaymentMethodRequired, PaymentSource } from "#app/screens/publisher/subscription/payment-source.tsx";
import { PlanPaymentErrors } from "#app/screens/publisher/subscription/plan-payment-errors.tsx";
import {
  planPaymentHref,
  redirectAfterPayment,
} from "#app/screens/publisher/subscription/plan-payment-redirect.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { handleForm } from "#app/web/forms/form.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const [subscription, [first], funding, failed] = await Promise.all([
    findSubscription(ctx),
    listPaymentMethods(ctx),
    readPlanFunding(ctx),
    findFailed(ctx, { request, payFor: "renewal" }),
  ]);
  if (!subscription?.overdue) return redirect(portalHref(base, "/billing?tab=subscription"));
  const { planType, amount } = subscription.overdue;
  const { cancelAtPeriodEnd } = subscription;
  const method = first?.isDefault ? first : null;
  const paymentsEnabled = arePaymentsSetUp();
  return { base, planType, amount, cancelAtPeriodEnd, method, funding, failed, paymentsEnabled, key: newId() };
}

const formSchema = z.object({ idempotency_key: z.uuid("Reload this page and try again") });

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return handleForm(request, formSchema, async ({ idempotency_key }) => {
    const key = `form/${idempotency_key}`;
    return redirectAfterPayment(await payPastDue(ctx, { key, returnPath: (id) => planPaymentHref(base, id) }), base);
  });
}

/** A rejected form gets a new idempotency key, because it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function PaySubscription() {
  const { base, planType, amount, cancelAtPeriodEnd, method, funding, failed, paymentsEnabled, key } =
    useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const busy = useNavigation().state !== "idle";
  const tab = portalHref(base, "/billing?tab=subscription");
  const netted = funding.payFrom === "earnings" && funding.available >= amount;
  const payable = netted || (method !== null && !method.expired);
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here="Pay now" />
      <PageHeader title={`Pay for your ${plans[planType].label} plan`} />
      <div className="stack max-w-2xl">
        <PlanPaymentErrors rejected={rejected} failed={failed} />
        {payable ? null : <PaymentMethodRequired base={base} method={method} paymentsEnabled={paymentsEnabled} />}
        <Card>
          <div className="form-grid">
            <DescriptionList
              facts={[
                { label: "Due now", value: <strong>{formatCents(amount)}</strong> },
                ...(netted || method
                  ? [
                      {
                        label: "Paid from",
                        value: <PaymentSource base={base} method={method} funding={funding} amount={amount} />,
                      },
                    ]
                  : []),
              ]}
            />
            {cancelAtPeriodEnd ? (
              <p>You canceled this plan. It stays canceled and ends with the billing period that you pay for.</p>
            ) : null}
            <div className="actions">
              <LinkButton to={tab}>Back</LinkButton>
              {payable ? (
                <Form method="post">
                  <input type="hidden" name="idempotency_key" value={key} />
                  <Button variant="primary" busy={busy} busyLabel="Paying...">
                    Pay now
                  </Button>
                </Form>
              ) : null}
            </div>
          </div>
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Pay for your plan") }];
