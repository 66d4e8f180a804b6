import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { compareDays } from "#app/domain/analytics/compare-days.server.ts";
import { countReadyAudiences } from "#app/domain/audiences/count-ready-audiences.server.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { moneyDefinitionsOf } from "#app/domain/billing/money-words.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { toActivityLines } from "#app/screens/shared/activity/activity-lines.ts";
import { RecentActivity } from "#app/screens/shared/activity/recent-activity.tsx";
import { PastDueNotice } from "#app/screens/shared/billing/past-due-notice.tsx";
import { FirstStepsList, HiddenFirstSteps } from "#app/screens/shared/dashboard/first-steps-list.tsx";
import { loadFirstSteps } from "#app/screens/shared/dashboard/load-first-steps.server.ts";
import { MoneyChart } from "#app/screens/shared/dashboard/money-chart.tsx";
import { type NextStep, NextSteps } from "#app/screens/shared/dashboard/next-steps.tsx";
import { describePeriod, hasDelivery } from "#app/screens/shared/dashboard/period-copy.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Definitions } from "#app/ui/definitions.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { AccountTiles, publisherMetrics } from "./account-tiles.tsx";
import { PendingReviews } from "./pending-reviews.tsx";

const shownWaiting = 5;

const shownActivity = 8;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const access = await requirePortalAccess(request, "publisher", context);
  const { ctx, viewer, base } = access;
  const [counts, compared, waiting, activeAudiences, activity, subscription, firstSteps] = await inSnapshot(ctx, (tx) =>
    Promise.all([
      countLineItems(tx),
      compareDays(tx, publisherMetrics),
      listLineItems(tx, { approval: "pending", limit: shownWaiting }),
      countReadyAudiences(tx),
      listActivity(tx, { limit: shownActivity }),
      findSubscription(tx),
      loadFirstSteps({ ...access, ctx: tx }),
    ]),
  );
  const { companyName } = viewer;
  return {
    base,
    companyName,
    counts,
    compared,
    activeAudiences,
    waiting: waiting.rows,
    activity: toActivityLines(activity.rows, ctx.actor),
    subscription: subscription ?? null,
    paymentsEnabled: arePaymentsSetUp(),
    firstSteps,
    definitions: moneyDefinitionsOf(["period_earnings", "commission_earned", "total_earnings", "not_settled"]),
    now: ctx.clock(),
  };
}

export default function PublisherDashboard() {
  const {
    base,
    companyName,
    counts,
    compared,
    activeAudiences,
    waiting,
    activity,
    subscription,
    paymentsEnabled,
    firstSteps,
    definitions,
    now,
  } = useLoaderData<typeof loader>();
  const to = (path: `/${string}`) => portalHref(base, path);
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle={`${companyName} · ${describePeriod(compared.days)}`}
        actions={
          <LinkButton to={to("/campaigns/create-for-advertiser")} variant="primary" icon="plus">
            Create Campaign for Advertiser
          </LinkButton>
        }
      />
      <div className="stack">
        <PastDueNotice base={base} subscription={subscription} paymentsEnabled={paymentsEnabled} />
        <div className="grid gap-2">
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
          <Definitions of={definitions} />
        </div>
        <div className="main-and-aside">
          <div className="stack">
            {firstSteps && !firstSteps.hidden ? <FirstStepsList base={base} firstSteps={firstSteps} /> : null}
            {hasDelivery(compared) ? (
              <MoneyChart
                title="Earnings"
                compared={compared}
                getCents={({ earnedCents }) => earnedCents}
                to={to("/analytics?metric=Earnings")}
              />
            ) : null}
            <Card
              title="Pending your review"
              flush
              aside={
                <Link className="link" to={to("/approval")}>
                  See all
                </Link>
              }
            >
              {waiting.length === 0 ? (
                <EmptyState icon="circle-check" title="No campaigns to review">
                  Campaigns that use your audiences appear here for review.
                </EmptyState>
              ) : (
                <PendingReviews campaigns={waiting} base={base} now={now} />
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

type To = (path: `/${string}`) => string;

function quickActions(to: To): NextStep[] {
  return [
    {
      icon: "upload",
      title: "Upload an audience",
      text: "From a file, the API or an integration.",
      to: to("/audiences/create"),
    },
    {
      icon: "clipboard-check",
      title: "Review campaigns",
      text: "Decide what runs on your audiences.",
      to: to("/approval"),
    },
    {
      icon: "megaphone",
      title: "Manage campaigns",
      text: "Pause, resume and see what they earn.",
      to: to("/campaigns"),
    },
    {
      icon: "chart-line",
      title: "Compare performance",
      text: "See which audiences and channels earn the most.",
      to: to("/analytics"),
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
