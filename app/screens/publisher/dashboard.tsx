import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { CircleCheck, ClipboardCheck, Megaphone, Plus, Upload, UserCog } from "lucide-react";
import { countReadyAudiences } from "#app/domain/audiences/count-ready-audiences.server.ts";
import { listRecentActivity } from "#app/domain/audit/list-history.server.ts";
import { countLineItems, listLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { HistoryTimeline } from "#app/screens/shared/history.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { WaitingList } from "./waiting-list.tsx";

const shownWaiting = 5;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await enterPortal(request, "publisher", context);
  const [counts, activeAudiences, waiting, activity] = await Promise.all([
    countLineItems(ctx),
    countReadyAudiences(ctx),
    listLineItems(ctx, { approval: "pending", limit: shownWaiting }),
    listRecentActivity(ctx),
  ]);
  const { companyName, accountId } = viewer;
  return { base, companyName, accountId, counts, activeAudiences, waiting: waiting.rows, activity, now: ctx.clock() };
}

export default function PublisherDashboard() {
  const { base, companyName, accountId, counts, activeAudiences, waiting, activity, now } =
    useLoaderData<typeof loader>();
  const to = (path: `/${string}`) => portalHref(base, path);
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle={`What runs on the audiences of ${companyName}, and what waits for you`}
        actions={
          <LinkButton to={to("/campaigns/create-for-advertiser")} variant="primary" icon={Plus}>
            Create Campaign for Advertiser
          </LinkButton>
        }
      />
      <div className="stack">
        <StatTiles
          stats={[
            {
              label: "Active Audiences",
              value: formatCount(activeAudiences),
              note: "ready to be used in campaigns",
              to: to("/audiences"),
            },
            {
              label: "Revenue Earned",
              value: formatCents(counts.commissionCents),
              note: `on ${formatNumberOf(counts.impressions, "impression")}`,
              to: to("/campaigns"),
            },
            {
              label: "Pending Approvals",
              value: formatCount(counts.approval.pending),
              note: "waiting for your decision",
              to: to("/approval"),
            },
            {
              label: "Managed Campaigns",
              value: formatCount(counts.management.managed),
              note: `${formatNumberOf(counts.management.active, "campaign")} active overall`,
              to: to("/campaigns?filter=managed"),
            },
          ]}
        />
        <div className="split">
          <div className="stack">
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
            <Card title="Recent Activity">
              <HistoryTimeline
                entries={activity}
                accountId={accountId}
                now={now}
                campaignHref={(id) => to(`/campaigns/${id}`)}
              />
            </Card>
          </div>
          <Card title="Quick Actions">
            <div className="grid gap-2">
              <LinkButton to={to("/audiences/create")} icon={Upload}>
                Upload an audience
              </LinkButton>
              <LinkButton to={to("/approval")} icon={ClipboardCheck}>
                Review campaigns
              </LinkButton>
              <LinkButton to={to("/campaigns")} icon={Megaphone}>
                Manage campaigns
              </LinkButton>
              <LinkButton to={to("/profile")} icon={UserCog}>
                Edit your profile
              </LinkButton>
            </div>
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Dashboard") }];
