import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { type PlanType, plans, planTypes } from "#app/domain/billing/plan.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { quotePlan } from "#app/domain/billing/subscription/quote-plan.server.ts";
import { readPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { newId } from "#app/domain/ids.ts";
import { centsToDollars, dollarsSchema, formatCents } from "#app/domain/money.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { detourNext } from "#app/portal/detour.ts";
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
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";
import { describePlanQuote, planChangeMessage, planQuoteButtonLabel, planQuoteTitle } from "./plan-quote-copy.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const planType = requirePlanParam(params.plan);
  const [quote, [first], funding, failed] = await inSnapshot(ctx, (tx) =>
    Promise.all([
      quotePlan(tx, { planType }),
      listPaymentMethods(tx),
      readPlanFunding(tx),
      findFailed(tx, { request, payFor: planType }),
    ]),
  );
  return {
    base,
    next: detourNext(request.url, base),
    quote,
    description: describePlanQuote(quote, ctx.clock()),
    method: first?.isDefault ? first : null,
    funding,
    failed,
    paymentsEnabled: arePaymentsSetUp(),
    key: newId(),
  };
}

const formSchema = z.object({ idempotency_key: z.uuid("Reload this page and try again"), amount: dollarsSchema() });

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const planType = requirePlanParam(params.plan);
  const next = detourNext(request.url, base);
  return handleForm(request, formSchema, async ({ idempotency_key, amount }) => {
    const { effectiveAt } = await quotePlan(ctx, { planType });
    const key = `form/${idempotency_key}`;
    const returnPath = (id: string) => planPaymentHref(base, id, next);
    const done = await changePlan(ctx, { planType, amount, key, returnPath });
    const { kind } = done;
    if (kind === "renewal" || done.amount > 0) return redirectAfterPayment(done, base, next);
    const message = planChangeMessage({ kind, planType, effectiveAt });
    return redirectWithFlash(next ?? portalHref(base, "/billing?tab=subscription"), { tone: "success", message });
  });
}

/** A rejected form gets a new idempotency key, because it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function ChoosePlan() {
  const { base, next, quote, description, method, funding, failed, paymentsEnabled, key } =
    useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const busy = useNavigation().state !== "idle";
  const tab = portalHref(base, "/billing?tab=subscription");
  const { amount, blocked, planType } = quote;
  const netted = funding.payFrom === "earnings" && funding.available >= amount;
  const payable = amount === 0 || netted || (method !== null && !method.expired);
  return (
    <>
      <Breadcrumbs trail={[{ to: tab, label: "Subscription" }]} here={plans[planType].label} />
      <PageHeader title={planQuoteTitle(quote)} subtitle={plans[planType].features.join(" · ")} />
      <div className="stack max-w-2xl">
        <PlanPaymentErrors rejected={rejected} failed={failed} />
        {blocked ? (
          <Notice tone="warn" title="You can't switch to this plan yet">
            {blocked.reason}
          </Notice>
        ) : payable ? null : (
          <PaymentMethodRequired base={base} method={method} paymentsEnabled={paymentsEnabled} />
        )}
        <Card>
          <div className="form-grid">
            <DescriptionList
              facts={[
                { label: "Due now", value: <strong>{formatCents(amount)}</strong> },
                { label: "Monthly price", value: formatCents(quote.monthlyAmount) },
                ...(amount > 0 && (netted || method)
                  ? [
                      {
                        label: "Paid from",
                        value: <PaymentSource base={base} method={method} funding={funding} amount={amount} />,
                      },
                    ]
                  : []),
              ]}
            />
            {blocked ? null : <p>{description}</p>}
            <div className="actions">
              <LinkButton to={next ?? tab}>Back</LinkButton>
              {blocked || !payable ? null : (
                <Form method="post">
                  <input type="hidden" name="idempotency_key" value={key} />
                  <input type="hidden" name="amount" value={centsToDollars(amount)} />
                  <Button variant="primary" busy={busy} busyLabel="Processing...">
                    {planQuoteButtonLabel(quote)}
                  </Button>
                </Form>
              )}
            </div>
          </div>
        </Card>
      </div>
    </>
  );
}

function requirePlanParam(text: string | undefined): PlanType {
  const plan = planTypes.find((one) => one === text);
  if (!plan) throw notFoundResponse();
  return plan;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? planQuoteTitle(data.quote) : "Subscription") },
];
