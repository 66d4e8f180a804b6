import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { type PlanType, plans, planTypes } from "#app/domain/billing/plan.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { readPlanFunding } from "#app/domain/billing/subscription/choose-plan-funding.server.ts";
import { quotePlan } from "#app/domain/billing/subscription/quote-plan.server.ts";
import { newId } from "#app/domain/ids.ts";
import { dollarsOf, dollarsSchema, formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, Notice, summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { notFoundPage } from "#app/web/not-found.server.ts";
import { answerPayment, paymentPage } from "./plan/answer-change.server.ts";
import { NothingToPayWith, PayFrom } from "./plan/pay-with.tsx";
import { buttonOf, sayDone, sayWhat, titleOf } from "./plan/quote-words.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const planType = planInAddress(params.plan);
  const [quote, [first], funding] = await Promise.all([
    quotePlan(ctx, { planType }),
    listPaymentMethods(ctx),
    readPlanFunding(ctx),
  ]);
  return {
    base,
    quote,
    method: first?.isDefault ? first : null,
    funding,
    setUp: arePaymentsSetUp(),
    key: newId(),
  };
}

const formSchema = z.object({ idempotency_key: z.uuid("Open this page again"), amount: dollarsSchema() });

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const planType = planInAddress(params.plan);
  return submitForm(request, formSchema, async ({ idempotency_key, amount }) => {
    const { effectiveAt } = await quotePlan(ctx, { planType });
    const key = `form/${idempotency_key}`;
    const done = await changePlan(ctx, { planType, amount, key, returnPath: (id) => paymentPage(base, id) });
    const { kind } = done;
    if (kind === "renewal" || done.amount > 0) return answerPayment(done, base);
    const message = sayDone({ kind, planType, effectiveAt });
    return redirectWithFlash(portalHref(base, "/billing?tab=subscription"), { tone: "success", message });
  });
}

export default function ChoosePlan() {
  const { base, quote, method, funding, setUp, key } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const busy = useNavigation().state !== "idle";
  const tab = portalHref(base, "/billing?tab=subscription");
  const { amount, refusal, planType } = quote;
  const netted = funding.payFrom === "earnings" && funding.available >= amount;
  const payable = amount === 0 || netted || (method !== null && !method.expired);
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here={plans[planType].label} />
      <PageHeader title={titleOf(quote)} subtitle={plans[planType].features.join(" · ")} />
      <div className="stack max-w-2xl">
        <Attention to={refused}>
          <ErrorSummary errors={summaryOf(refused?.error)} />
        </Attention>
        {refusal ? (
          <Notice tone="warn" title="This plan cannot be chosen now">
            {refusal}
          </Notice>
        ) : payable ? null : (
          <NothingToPayWith base={base} method={method} setUp={setUp} />
        )}
        <Card>
          <div className="form-grid">
            <Facts
              facts={[
                { label: "To pay now", value: <strong>{formatCents(amount)}</strong> },
                { label: "A month", value: formatCents(quote.monthlyAmount) },
                ...(amount > 0 && (netted || method)
                  ? [
                      {
                        label: "Paid from",
                        value: <PayFrom base={base} method={method} funding={funding} amount={amount} />,
                      },
                    ]
                  : []),
              ]}
            />
            {refusal ? null : <p>{sayWhat(quote)}</p>}
            <div className="actions">
              {refusal || !payable ? null : (
                <Form method="post" reloadDocument>
                  <input type="hidden" name="idempotency_key" value={key} />
                  <input type="hidden" name="amount" value={dollarsOf(amount)} />
                  <Button variant="primary" busy={busy} busyLabel="One moment...">
                    {buttonOf(quote)}
                  </Button>
                </Form>
              )}
              <LinkButton to={tab}>Back</LinkButton>
            </div>
          </div>
        </Card>
      </div>
    </>
  );
}

function planInAddress(text: string | undefined): PlanType {
  const plan = planTypes.find((one) => one === text);
  if (!plan) throw notFoundPage();
  return plan;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? titleOf(data.quote) : "Subscription") },
];
