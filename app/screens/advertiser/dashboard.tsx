import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ChartLine, CircleCheck, FilePen, Image, Megaphone, Package, Plus, UserCog } from "lucide-react";
import { compareDays } from "#app/domain/analytics/compare-days.server.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { countCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { countRunningCampaigns } from "#app/domain/delivery/count-running-campaigns.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { activityLines } from "#app/screens/shared/activity/activity-lines.ts";
import { RecentActivity } from "#app/screens/shared/activity/recent-activity.tsx";
import { WalletNotice } from "#app/screens/shared/billing/wallet-notice.tsx";
import { MoneyChart } from "#app/screens/shared/dashboard/money-chart.tsx";
import { type NextStep, NextSteps } from "#app/screens/shared/dashboard/next-steps.tsx";
import { hasDelivery, wordsOfPeriod } from "#app/screens/shared/dashboard/period-words.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { ShortList } from "./campaign-list/short-list.tsx";
import { AccountTiles, shownToAdvertiser } from "./dashboard-page/account-tiles.tsx";

const shown = 5;

const shownActivity = 8;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await enterPortal(request, "advertiser", context);
  const [counts, compared, running, pending, drafts, activity, { holds, lastDay }] = await Promise.all([
    countCampaigns(ctx),
    compareDays(ctx, shownToAdvertiser),
    countRunningCampaigns(ctx),
    listCampaigns(ctx, { status: "pending", limit: shown }),
    listCampaigns(ctx, { status: "draft", limit: shown }),
    listActivity(ctx, { limit: shownActivity }),
    getWallet(ctx),
  ]);
  const { companyName } = viewer;
  return {
    base,
    companyName,
    counts,
    compared,
    running,
    pending: pending.rows,
    drafts: drafts.rows,
    activity: activityLines(activity.rows, ctx.actor),
    // Nobody needs money before there is a campaign.
    wallet: counts.all === 0 ? null : { holds, lastDay },
    setUp: arePaymentsSetUp(),
    now: ctx.clock(),
  };
}

export default function AdvertiserDashboard() {
  const { base, companyName, counts, compared, running, pending, drafts, activity, wallet, setUp, now } =
    useLoaderData<typeof loader>();
  const to = (path: `/${string}`) => portalHref(base, path);
  const create = (
    <LinkButton to={to("/campaigns/create")} variant="primary" icon={Plus}>
      Create Campaign
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Dashboard" subtitle={`${companyName} · ${wordsOfPeriod(compared.days)}`} actions={create} />
      <div className="stack">
        <WalletNotice base={base} wallet={wallet} setUp={setUp} />
        <AccountTiles
          counts={counts}
          compared={compared}
          running={running}
          to={{ active: to("/campaigns?status=active"), figure: (metric) => to(`/analytics?metric=${metric}`) }}
        />
        <div className="split">
          <div className="stack">
            {hasDelivery(compared) ? (
              <MoneyChart
                title="Spend"
                compared={compared}
                of={({ spendCents }) => spendCents}
                to={to("/analytics?metric=Spend")}
              />
            ) : counts.all === 0 ? (
              <NextSteps title="First steps" steps={firstSteps(to)} />
            ) : null}
            <Card title="Waiting for a decision" flush aside={<SeeAll to={to("/campaigns?status=pending")} />}>
              {pending.length === 0 ? (
                <EmptyState icon={CircleCheck} title="Nothing is waiting">
                  Campaigns that you launch wait here for their publishers, typically less than 24 hours.
                </EmptyState>
              ) : (
                <ShortList campaigns={pending} base={base} />
              )}
            </Card>
            <Card title="Drafts to finish" flush aside={<SeeAll to={to("/campaigns?status=draft")} />}>
              {drafts.length === 0 ? (
                <EmptyState icon={FilePen} title="No drafts" action={create}>
                  A campaign is saved as a draft until you launch it.
                </EmptyState>
              ) : (
                <ShortList campaigns={drafts} base={base} />
              )}
            </Card>
          </div>
          <div className="stack">
            <NextSteps title="Quick Actions" steps={quickActions(to)} />
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
    { icon: Plus, title: "Create a campaign", words: "Six short steps, saved as you go.", to: to("/campaigns/create") },
    { icon: Megaphone, title: "See all campaigns", words: "Pause, change or copy them.", to: to("/campaigns") },
    { icon: ChartLine, title: "See what works", words: "Compare campaigns and channels.", to: to("/analytics") },
    { icon: Package, title: "Add products", words: "From a file, Shopify or WooCommerce.", to: to("/products") },
    { icon: UserCog, title: "Edit your profile", words: "Company, API keys and sessions.", to: to("/profile") },
  ];
}

/** For an account without a campaign. */
function firstSteps(to: To): NextStep[] {
  return [
    {
      icon: Plus,
      title: "Create your first campaign",
      words: "Choose audiences of retailers, channels and a budget. It is saved as a draft until you launch it.",
      to: to("/campaigns/create"),
    },
    {
      icon: Image,
      title: "Upload creatives",
      words: "Pictures and films for your ads, to be used in any campaign.",
      to: to("/creatives"),
    },
    {
      icon: Package,
      title: "Add products",
      words: "Import your catalogue, so that campaigns can be about products.",
      to: to("/products"),
    },
  ];
}

export const meta: MetaFunction = () => [{ title: pageTitle("Dashboard") }];
