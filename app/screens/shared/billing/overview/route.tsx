import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { PastDueNotice } from "#app/screens/shared/billing/past-due-notice.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { readFormData } from "#app/web/forms/form.server.ts";
import { billingQuery, billingTabs, billingTitles, billingViewList } from "./billing-search.ts";
import { asPublisherCtx, loadBilling } from "./load-billing.server.ts";
import { handleSetDefaultPaymentMethod } from "./set-default-payment-method.server.ts";
import { handleSetPlanFunding } from "./set-plan-funding.server.ts";
import {
  EarningsTabPart,
  OverviewTabPart,
  PaymentMethodsTabPart,
  SubscriptionTabPart,
  TransactionsTabPart,
} from "./tab-parts.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base, portal } = await requireCurrentPortalAccess(request, context);
  const [loaded, subscription] = await inSnapshot(ctx, (tx) =>
    Promise.all([loadBilling(tx, request), findSubscription(tx)]),
  );
  const list = billingViewList(loaded.tab);
  const views = list ? await listSavedViews(ctx, { userId: viewer.id, list }) : [];
  return { base, portal, views, loaded, subscription: subscription ?? null, paymentsEnabled: arePaymentsSetUp() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base, portal } = await requireCurrentPortalAccess(request, context);
  const form = await readFormData(request);
  const isFunding = portal === "publisher" && form.has("pay_from");
  return isFunding
    ? handleSetPlanFunding(asPublisherCtx(ctx), { form, base })
    : handleSetDefaultPaymentMethod(ctx, { form, base });
}

export default function Billing() {
  const { base, portal, views, loaded, subscription, paymentsEnabled } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  return (
    <>
      <PageHeader
        title={billingTitles[portal]}
        subtitle={
          portal === "advertiser" ? "Your balance, ad spend and payments" : "Your plan, earnings and transactions"
        }
        actions={
          <>
            <LinkButton to={portalHref(base, "/billing/statements")} icon="file-text">
              Monthly statements
            </LinkButton>
            {portal === "advertiser" ? (
              <LinkButton to={portalHref(base, "/billing/invoices")} icon="receipt-text">
                Invoices
              </LinkButton>
            ) : null}
            {portal === "advertiser" && paymentsEnabled ? (
              <LinkButton to={portalHref(base, "/billing/top-up")} variant="primary" icon="wallet">
                Top up
              </LinkButton>
            ) : null}
          </>
        }
      />
      {subscription?.overdue ? (
        <div className="mb-4">
          <PastDueNotice base={base} subscription={subscription} paymentsEnabled={paymentsEnabled} />
        </div>
      ) : null}
      {rejected ? (
        <div className="mb-4">
          <ErrorSummary errors={toSummaryErrors(rejected.error, [])} />
        </div>
      ) : null}
      <Tabs
        label="Billing"
        tabs={billingTabs[portal].map(({ tab, label }) => ({
          to: portalHref(base, `/billing${billingQuery({ tab })}`),
          label,
          current: tab === loaded.tab,
        }))}
      />
      {loaded.tab === "overview" ? (
        <OverviewTabPart base={base} loaded={loaded} paymentsEnabled={paymentsEnabled} />
      ) : null}
      {loaded.tab === "methods" ? (
        <PaymentMethodsTabPart base={base} loaded={loaded} paymentsEnabled={paymentsEnabled} />
      ) : null}
      {loaded.tab === "subscription" ? (
        <SubscriptionTabPart base={base} loaded={loaded} paymentsEnabled={paymentsEnabled} />
      ) : null}
      {loaded.tab === "earnings" ? <EarningsTabPart base={base} views={views} loaded={loaded} /> : null}
      {loaded.tab === "spend" || loaded.tab === "transactions" ? (
        <TransactionsTabPart base={base} views={views} loaded={loaded} />
      ) : null}
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? billingTitles[data.portal] : "Billing") },
];
