import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { payOverdue } from "#app/domain/billing/subscription/pay-overdue.server.ts";
import { newId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";
import { submitForm } from "#app/web/form.server.ts";
import { answerPayment, paymentPage } from "./plan/answer-change.server.ts";
import { NothingToPayWith, PayWith } from "./plan/pay-with.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const [subscription, [first]] = await Promise.all([findSubscription(ctx), listPaymentMethods(ctx)]);
  if (!subscription?.overdue) return redirect(portalHref(base, "/billing?tab=subscription"));
  const { planType, amount } = subscription.overdue;
  const method = first?.isDefault ? first : null;
  return { base, planType, amount, method, setUp: arePaymentsSetUp(), key: newId() };
}

const formSchema = z.object({ idempotency_key: z.uuid("Open this page again") });

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitForm(request, formSchema, async ({ idempotency_key }) => {
    const key = `form/${idempotency_key}`;
    return answerPayment(await payOverdue(ctx, { key, returnPath: (id) => paymentPage(base, id) }), base);
  });
}

export default function PaySubscription() {
  const { base, planType, amount, method, setUp, key } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const busy = useNavigation().state !== "idle";
  const tab = portalHref(base, "/billing?tab=subscription");
  const payable = method !== null && !method.expired;
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here="Pay now" />
      <PageHeader title={`Pay for your ${plans[planType].label} plan`} />
      <div className="stack max-w-2xl">
        <Attention to={refused}>
          <ErrorSummary errors={summaryOf(refused?.error)} />
        </Attention>
        {payable ? null : <NothingToPayWith base={base} method={method} setUp={setUp} />}
        <Card>
          <div className="form-grid">
            <Facts
              facts={[
                { label: "To pay now", value: <strong>{formatCents(amount)}</strong> },
                ...(method ? [{ label: "Payment method", value: <PayWith base={base} method={method} /> }] : []),
              ]}
            />
            <div className="actions">
              {payable ? (
                <Form method="post" reloadDocument>
                  <input type="hidden" name="idempotency_key" value={key} />
                  <Button variant="primary" busy={busy} busyLabel="Paying...">
                    Pay now
                  </Button>
                </Form>
              ) : null}
              <LinkButton to={tab}>Back</LinkButton>
            </div>
          </div>
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Pay for your plan") }];
