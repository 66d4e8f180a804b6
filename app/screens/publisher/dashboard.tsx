import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ChartLine, CircleCheck, ClipboardCheck, Megaphone, Plus, Upload, UserCog } from "lucide-react";
import { compareDays } from "#app/domain/analytics/compare-days.server.ts";
import { countReadyAudiences } from "#app/domain/audiences/count-ready-audiences.server.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { countLineItems, listLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { activityLines } from "#app/screens/shared/activity/activity-lines.ts";
import { RecentActivity } from "#app/screens/shared/activity/recent-activity.tsx";
import { OverdueNotice } from "#app/screens/shared/billing/overdue-notice.tsx";
import { MoneyChart } from "#app/screens/shared/dashboard/money-chart.tsx";
import { type NextStep, NextSteps } from "#app/screens/shared/dashboard/next-steps.tsx";
import { hasDelivery, wordsOfPeriod } from "#app/screens/shared/dashboard/period-words.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { AccountTiles, shownToPublisher } from "./dashboard-page/account-tiles.tsx";
import { WaitingList } from "./waiting-list.tsx";

const shownWaiting = 5;

const shownActivity = 8;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await enterPortal(request, "publisher", context);
  const [counts, compared, activeAudiences, waiting, activity, subscription] = await Promise.all([
    countLineItems(ctx),
    compareDays(ctx, shownToPublisher),
    countReadyAudiences(ctx),
    listLineItems(ctx, { approval: "pending", limit: shownWaiting }),
    listActivity(ctx, { limit: shownActivity }),
    findSubscription(ctx),
  ]);
  const { companyName } = viewer;
  return {
    base,
    companyName,
    counts,
    compared,
    activeAudiences,
    waiting: waiting.rows,
    activity: activityLines(activity.rows, ctx.actor),
    subscription: subscription ?? null,
    setUp: arePaymentsSetUp(),
    now: ctx.clock(),
  };
}

export default function PublisherDashboard() {
  const { base, companyName, counts, compared, activeAudiences, waiting, activity, subscription, setUp, now } =
    useLoaderData<typeof loader>();
  const to = (path: `/${string}`) => portalHref(base, path);
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle={`${companyName} · ${wordsOfPeriod(compared.days)}`}
        actions={
          <LinkButton to={to("/campaigns/create-for-advertiser")} variant="primary" icon={Plus}>
            Create Campaign for Advertiser
          </LinkButton>
        }
      />
      <div className="stack">
        <OverdueNotice base={base} subscription={subscription} setUp={setUp} />
        <AccountTiles
          counts={counts}
          activeAudiences={activeAudiences}
          compared={compared}
          to={{
            audiences: to("/audiences"),
            revenue: to("/analytics?metric=Earnings"),
            approval: to("/approval"),
            managed: to("/campaigns?filter=managed"),
          }}
        />
        <div className="split">
          <div className="stack">
            {hasDelivery(compared) ? (
              <MoneyChart
                title="Earnings"
                compared={compared}
                of={({ earnedCents }) => earnedCents}
                to={to("/analytics?metric=Earnings")}
              />
            ) : counts.approval.all === 0 ? (
              <NextSteps title="First steps" steps={firstSteps(to)} />
            ) : null}
            <Card
              title="Waiting for your decision"
              flush
              aside={
                <Link className="link" to={to("/approval")}>
                  See all
                </Link>
              }
            >
              {waiting.length === 0 ? (
                <EmptyState icon={CircleCheck} title="Nothing is waiting">
                  Campaigns that use your audiences show up here for your approval.
                </EmptyState>
              ) : (
                <WaitingList campaigns={waiting} base={base} now={now} />
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

type To = (path: `/${string}`) => string;

function quickActions(to: To): NextStep[] {
  return [
    {
      icon: Upload,
      title: "Upload an audience",
      words: "From a file, by API or from a program.",
      to: to("/audiences/create"),
    },
    {
      icon: ClipboardCheck,
      title: "Review campaigns",
      words: "Say what may run on your audiences.",
      to: to("/approval"),
    },
    {
      icon: Megaphone,
      title: "Manage campaigns",
      words: "Pause, resume and see what they earn.",
      to: to("/campaigns"),
    },
    { icon: ChartLine, title: "See what earns", words: "Compare audiences and channels.", to: to("/analytics") },
    { icon: UserCog, title: "Edit your profile", words: "Company, API keys and sessions.", to: to("/profile") },
  ];
}

/** For an account on whose audiences nothing was ever to run. */
function firstSteps(to: To): NextStep[] {
  return [
    {
      icon: Upload,
      title: "Upload your first audience",
      words: "At 1,000 people or more advertisers can choose it for their campaigns.",
      to: to("/audiences/create"),
    },
    {
      icon: ClipboardCheck,
      title: "Approve campaigns",
      words: "Each campaign on your audiences waits for your say, and runs only with it.",
      to: to("/approval"),
    },
    {
      icon: Plus,
      title: "Create a campaign for an advertiser",
      words: "It runs on your audiences at once, for an agreed commission.",
      to: to("/campaigns/create-for-advertiser"),
    },
  ];
}

export const meta: MetaFunction = () => [{ title: pageTitle("Dashboard") }];
