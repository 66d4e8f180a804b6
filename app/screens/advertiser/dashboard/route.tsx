import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { compareDays } from "#app/domain/analytics/compare-days.server.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { moneyDefinitionsOf } from "#app/domain/billing/money-words.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { countCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { countRunningCampaigns } from "#app/domain/delivery/count-running-campaigns.server.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { StartFromExample } from "#app/screens/advertiser/campaigns/start-from-example.tsx";
import { toActivityLines } from "#app/screens/shared/activity/activity-lines.ts";
import { RecentActivity } from "#app/screens/shared/activity/recent-activity.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { FirstStepsList, HiddenFirstSteps } from "#app/screens/shared/dashboard/first-steps-list.tsx";
import { loadFirstSteps } from "#app/screens/shared/dashboard/load-first-steps.server.ts";
import { MoneyChart } from "#app/screens/shared/dashboard/money-chart.tsx";
import { type NextStep, NextSteps } from "#app/screens/shared/dashboard/next-steps.tsx";
import { describePeriod, hasDelivery } from "#app/screens/shared/dashboard/period-copy.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Definitions } from "#app/ui/definitions.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { AccountTiles, advertiserMetrics } from "./account-tiles.tsx";
import { CampaignSummaryTable } from "./campaign-summary-table.tsx";
import { RejectedCampaigns } from "./rejected-campaigns.tsx";

const shown = 5;

const shownActivity = 8;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const access = await requirePortalAccess(request, "advertiser", context);
  const { ctx, viewer, base } = access;
  const [counts, compared, running, pending, rejected, drafts, { holds, lastDay, shortfall }, activity, firstSteps] =
    await inSnapshot(ctx, (tx) =>
      Promise.all([
        countCampaigns(tx),
        compareDays(tx, advertiserMetrics),
        countRunningCampaigns(tx),
        listCampaigns(tx, { status: "pending", limit: shown }),
        listCampaigns(tx, { status: "rejected", limit: shown }),
        listCampaigns(tx, { status: "unsent", limit: shown }),
        getWallet(tx),
        listActivity(tx, { limit: shownActivity }),
        loadFirstSteps({ ...access, ctx: tx }),
      ]),
    );
  const { companyName } = viewer;
  return {
    base,
    companyName,
    counts,
    compared,
    running,
    pending: pending.rows,
    rejected: rejected.rows,
    drafts: drafts.rows,
    activity: toActivityLines(activity.rows, ctx.actor),
    // Funds matter only once a campaign was launched.
    wallet:
      counts.active + counts.pending === 0
        ? null
        : { holds, lastDay, shortfall, hasActiveCampaigns: counts.active > 0 },
    paymentsEnabled: arePaymentsSetUp(),
    firstSteps,
    definitions: moneyDefinitionsOf(["spend", "roas"]),
    exampleKey: crypto.randomUUID(),
    now: ctx.clock(),
  };
}

export default function AdvertiserDashboard() {
  const {
    base,
    companyName,
    counts,
    compared,
    running,
    pending,
    rejected,
    drafts,
    activity,
    wallet,
    paymentsEnabled,
    firstSteps,
    definitions,
    exampleKey,
    now,
  } = useLoaderData<typeof loader>();
  const to = (path: `/${string}`) => portalHref(base, path);
  const create = (
    <LinkButton to={to("/campaigns/create")} variant="primary" icon="plus">
      Create Campaign
    </LinkButton>
  );
  const example = counts.all === 0 ? <StartFromExample base={base} idempotencyKey={exampleKey} /> : undefined;
  return (
    <>
      <PageHeader title="Dashboard" subtitle={`${companyName} · ${describePeriod(compared.days)}`} actions={create} />
      <div className="stack">
        <WalletNotice base={base} wallet={wallet} paymentsEnabled={paymentsEnabled} />
        <div className="grid gap-2">
          <AccountTiles
            counts={counts}
            compared={compared}
            running={running}
            to={{ active: to("/campaigns?status=active"), figure: (metric) => to(`/analytics?metric=${metric}`) }}
          />
          <Definitions of={definitions} />
        </div>
        <div className="main-and-aside">
          <div className="stack">
            {firstSteps && !firstSteps.hidden ? (
              <FirstStepsList base={base} firstSteps={firstSteps}>
                {example}
              </FirstStepsList>
            ) : null}
            {hasDelivery(compared) ? (
              <MoneyChart
                title="Spend"
                compared={compared}
                getCents={({ spendCents }) => spendCents}
                to={to("/analytics?metric=Spend")}
              />
            ) : null}
            <RejectedCampaigns base={base} campaigns={rejected} />
            <Card title="Pending review" flush aside={<SeeAll to={to("/campaigns?status=pending")} />}>
              {pending.length === 0 ? (
                <EmptyState icon="circle-check" title="No campaigns pending review">
                  Launched campaigns appear here until publishers review them, typically within 24 hours.
                </EmptyState>
              ) : (
                <CampaignSummaryTable campaigns={pending} base={base} />
              )}
            </Card>
            <Card title="Drafts" flush aside={<SeeAll to={to("/campaigns?status=draft")} />}>
              {drafts.length === 0 ? (
                <EmptyState icon="file-pen" title="No drafts" action={create}>
                  A campaign is saved as a draft until you launch it.
                </EmptyState>
              ) : (
                <CampaignSummaryTable campaigns={drafts} base={base} />
              )}
            </Card>
          </div>
          <div className="stack">
            <NextSteps title="Quick Actions" steps={quickActions(to)} />
            {firstSteps?.hidden ? <HiddenFirstSteps base={base} firstSteps={firstSteps} /> : null}
            <RecentActivity lines={activity} now={now} base={base} />
          </div>
        </div>
      </div>
    </>
  );
}

function SeeAll({ to }: { to: string }) {
  return (
    <Link className="link" to={to} prefetch="intent">
      See all
    </Link>
  );
}

type To = (path: `/${string}`) => string;

function quickActions(to: To): NextStep[] {
  return [
    {
      icon: "plus",
      title: "Create a campaign",
      text: "Six short steps, saved as you go.",
      to: to("/campaigns/create"),
    },
    { icon: "megaphone", title: "See all campaigns", text: "Pause, edit or duplicate them.", to: to("/campaigns") },
    {
      icon: "chart-line",
      title: "Compare performance",
      text: "See which campaigns and channels perform best.",
      to: to("/analytics"),
    },
    {
      icon: "package",
      title: "Add products",
      text: "Import a file, or connect Shopify or WooCommerce.",
      to: to("/products"),
    },
    {
      icon: "user-cog",
      title: "Edit your profile",
      text: "Company details, API keys and sessions.",
      to: to("/profile"),
    },
  ];
}

export const meta: MetaFunction = () => [{ title: pageTitle("Dashboard") }];
