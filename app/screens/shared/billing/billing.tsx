import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FileText, ReceiptText, Wallet } from "lucide-react";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { PageHeader, Tabs } from "#app/ui/layout.tsx";
import { readForm } from "#app/web/form.server.ts";
import { billingQuery, billingTabs, billingTitles } from "./billing-search.ts";
import { chooseDefault } from "./choose-default.server.ts";
import { chooseFunding } from "./choose-funding.server.ts";
import { EarningsTab } from "./earnings-tab.tsx";
import { asPublisher, loadBilling } from "./load-billing.server.ts";
import { OverdueNotice } from "./overdue-notice.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PaymentMethodsTab } from "./payment-methods-tab.tsx";
import { SubscriptionTab } from "./subscription-tab.tsx";
import { TransactionsTab } from "./transactions-tab.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal } = await enterThisPortal(request, context);
  const [loaded, subscription] = await Promise.all([loadBilling(ctx, request), findSubscription(ctx)]);
  return { base, portal, loaded, subscription: subscription ?? null, setUp: arePaymentsSetUp() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base, portal } = await enterThisPortal(request, context);
  const form = await readForm(request);
  const isFunding = portal === "publisher" && form.has("pay_from");
  return isFunding ? chooseFunding(asPublisher(ctx), { form, base }) : chooseDefault(ctx, { form, base });
}

export default function Billing() {
  const { base, portal, loaded, subscription, setUp } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={billingTitles[portal]}
        subtitle={portal === "advertiser" ? "What your campaigns spent, line by line" : "What your audiences earned"}
        actions={
          <>
            <LinkButton to={portalHref(base, "/billing/statements")} icon={FileText}>
              Monthly statements
            </LinkButton>
            {portal === "advertiser" ? (
              <LinkButton to={portalHref(base, "/billing/invoices")} icon={ReceiptText}>
                Invoices
              </LinkButton>
            ) : null}
            {portal === "advertiser" && setUp ? (
              <LinkButton to={portalHref(base, "/billing/top-up")} variant="primary" icon={Wallet}>
                Top up
              </LinkButton>
            ) : null}
          </>
        }
      />
      {subscription?.overdue ? (
        <div className="mb-4">
          <OverdueNotice base={base} subscription={subscription} setUp={setUp} />
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
      {loaded.tab === "overview" ? <OverviewTab base={base} loaded={loaded} setUp={setUp} /> : null}
      {loaded.tab === "methods" ? <PaymentMethodsTab base={base} loaded={loaded} setUp={setUp} /> : null}
      {loaded.tab === "subscription" ? <SubscriptionTab base={base} loaded={loaded} setUp={setUp} /> : null}
      {loaded.tab === "earnings" ? <EarningsTab base={base} loaded={loaded} /> : null}
      {loaded.tab === "spend" || loaded.tab === "transactions" ? <TransactionsTab base={base} loaded={loaded} /> : null}
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? billingTitles[data.portal] : "Billing") },
];
