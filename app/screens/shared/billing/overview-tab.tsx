import { Link } from "@remix-run/react";
import { CreditCard, Receipt } from "lucide-react";
import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import type { InvoiceSummary } from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { plans } from "#app/domain/billing/plan.ts";
import type { RevenueShareStatus } from "#app/domain/billing/revenue-share.ts";
import type { Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { type Cents, formatCents, formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, EmptyState, Facts } from "#app/ui/layout.tsx";
import { type Stat, StatTiles } from "#app/ui/stat-tile.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { billingQuery } from "./billing-search.ts";
import { EarningsTiles } from "./earnings-tiles.tsx";
import { InvoiceNotice } from "./invoice-notice.tsx";
import { MoneyStatus } from "./money-status.tsx";
import { transactionColumns } from "./transaction-columns.tsx";
import { WalletNotice } from "./wallet-notice.tsx";

type Loaded = { transactions: Transaction[] } & (
  | { spend: Cents; wallet: Wallet; invoices: InvoiceSummary; earnings: null }
  | { spend: null; earnings: Record<RevenueShareStatus, Cents>; subscription: Subscription | null }
);

/** The totals of the side, its five last transactions, and a publisher's monthly subscription. */
export function OverviewTab({ base, loaded, setUp }: { base: PortalBase; loaded: Loaded; setUp: boolean }) {
  const all = loaded.earnings ? "transactions" : "spend";
  return (
    <div className="stack">
      {loaded.earnings ? (
        <EarningsTiles earnings={loaded.earnings} />
      ) : (
        <>
          <WalletNotice base={base} wallet={loaded.wallet} setUp={setUp} />
          <InvoiceNotice base={base} invoices={loaded.invoices} />
          <StatTiles
            stats={[
              ...walletStats(loaded.wallet),
              {
                label: "Total ad spend",
                value: formatCents(loaded.spend),
                note: "Settled until yesterday (UTC)",
                to: billingQuery({ tab: "spend", type: "campaign_spend" }),
              },
            ]}
          />
        </>
      )}
      <div className={loaded.earnings ? "split" : undefined}>
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
            <EmptyState icon={Receipt} title="No transactions yet" />
          ) : (
            <DataTable caption="Recent transactions" columns={transactionColumns} rows={loaded.transactions} />
          )}
        </Card>
        {loaded.earnings ? <SubscriptionCard base={base} subscription={loaded.subscription} /> : null}
      </div>
    </div>
  );
}

/** The wallet; a credit limit is shown where there is one. */
function walletStats({ balance, reserved, available, creditLimit }: Wallet): Stat[] {
  const credit = creditLimit > 0 ? `With ${formatCentsShort(creditLimit)} of credit` : "Free for more campaigns";
  return [
    { label: "Balance", value: formatCents(balance), note: balance < 0 ? "You owe this" : "In your wallet" },
    { label: "Reserved", value: formatCents(reserved), note: "Not settled yet, and today's budgets" },
    { label: "Available", value: formatCents(available), note: credit },
  ];
}

function SubscriptionCard({ base, subscription }: { base: PortalBase; subscription: Subscription | null }) {
  const to = portalHref(base, `/billing${billingQuery({ tab: "subscription" })}`);
  return (
    <Card title="Monthly subscription" aside={subscription ? <MoneyStatus status={subscription.status} /> : null}>
      {subscription ? (
        <Facts
          facts={[
            {
              label: "Plan",
              value: (
                <Link className="link" to={to}>
                  {plans[subscription.planType].label}
                </Link>
              ),
            },
            { label: "A month", value: formatCentsShort(subscription.monthlyAmount) },
          ]}
        />
      ) : (
        <EmptyState
          icon={CreditCard}
          title="No active subscription"
          action={<LinkButton to={to}>Choose a plan</LinkButton>}
        />
      )}
    </Card>
  );
}
