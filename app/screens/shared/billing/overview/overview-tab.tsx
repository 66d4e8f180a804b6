import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import type { Earnings } from "#app/domain/billing/get-earnings.server.ts";
import type { InvoiceSummary } from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import type { Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { type Cents, formatCents, formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import { EarningsTiles } from "#app/screens/shared/billing/earnings-tiles.tsx";
import { InvoiceNotice } from "#app/screens/shared/billing/invoice-notice.tsx";
import { MoneyDefinitions } from "#app/screens/shared/billing/money-definitions.tsx";
import { transactionColumns } from "#app/screens/shared/billing/transaction-columns.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, DescriptionList, EmptyState } from "#app/ui/page-header.tsx";
import { type Stat, StatTiles } from "#app/ui/stat-tiles.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { billingQuery } from "./billing-search.ts";

type Loaded = { transactions: Transaction[] } & (
  | { spend: Cents; wallet: Wallet; invoices: InvoiceSummary; earnings: null }
  | { spend: null; earnings: Earnings; subscription: Subscription | null }
);

/** The side's totals, its five latest transactions, and a publisher's subscription. */
export function OverviewTab({
  base,
  loaded,
  paymentsEnabled,
}: {
  base: PortalBase;
  loaded: Loaded;
  paymentsEnabled: boolean;
}) {
  const all = loaded.earnings ? "transactions" : "spend";
  return (
    <div className="stack">
      {loaded.earnings ? (
        <EarningsTiles earnings={loaded.earnings} />
      ) : (
        <>
          <WalletNotice base={base} wallet={loaded.wallet} paymentsEnabled={paymentsEnabled} />
          <InvoiceNotice base={base} invoices={loaded.invoices} />
          <div className="grid gap-2">
            <StatTiles
              stats={[
                ...walletStats(loaded.wallet),
                {
                  label: "Total ad spend",
                  value: formatCents(loaded.spend),
                  note: "Settled through yesterday (UTC)",
                  to: billingQuery({ tab: "spend", type: "campaign_spend" }),
                },
              ]}
            />
            <MoneyDefinitions terms={["balance", "reserved", "available_funds", "total_ad_spend"]} />
          </div>
        </>
      )}
      <div className={loaded.earnings ? "main-and-aside" : undefined}>
        <Card
          title="Recent transactions"
          flush
          aside={
            loaded.transactions.length > 0 ? (
              <Link className="link" to={portalHref(base, `/billing${billingQuery({ tab: all })}`)}>
                See all
              </Link>
            ) : null
          }
        >
          {loaded.transactions.length === 0 ? (
            <EmptyState icon="receipt" title="No transactions yet" />
          ) : (
            <DataTable
              caption="Recent transactions"
              columns={transactionColumns(base, loaded.earnings ? "publisher" : "advertiser")}
              rows={loaded.transactions}
            />
          )}
        </Card>
        {loaded.earnings ? <SubscriptionCard base={base} subscription={loaded.subscription} /> : null}
      </div>
    </div>
  );
}

/** Returns the wallet's figures; a credit limit is shown if there is one. */
function walletStats({ balance, reserved, available, creditLimit }: Wallet): Stat[] {
  const credit =
    creditLimit > 0 ? `Includes ${formatCentsShort(creditLimit)} of credit` : "Available for new campaigns";
  return [
    { label: "Balance", value: formatCents(balance), note: balance < 0 ? "Amount you owe" : "In your wallet" },
    { label: "Reserved", value: formatCents(reserved), note: "Unsettled spend and today's budgets" },
    { label: "Available", value: formatCents(available), note: credit },
  ];
}

function SubscriptionCard({ base, subscription }: { base: PortalBase; subscription: Subscription | null }) {
  const to = portalHref(base, `/billing${billingQuery({ tab: "subscription" })}`);
  return (
    <Card
      title="Monthly subscription"
      aside={subscription ? <BillingStatusBadge status={subscription.status} /> : null}
    >
      {subscription ? (
        <DescriptionList
          facts={[
            {
              label: "Plan",
              value: (
                <Link className="link" to={to}>
                  {plans[subscription.planType].label}
                </Link>
              ),
            },
            { label: "Monthly price", value: formatCentsShort(subscription.monthlyAmount) },
          ]}
        />
      ) : (
        <EmptyState
          icon="credit-card"
          title="No active subscription"
          action={<LinkButton to={to}>Choose a plan</LinkButton>}
        />
      )}
    </Card>
  );
}
