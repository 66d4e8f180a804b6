import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { CircleCheck, FilePen, Megaphone, Plus, UserCog } from "lucide-react";
import { listRecentActivity } from "#app/domain/audit/list-history.server.ts";
import { countCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { HistoryTimeline } from "#app/screens/shared/history.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { ShortList } from "./campaign-list/short-list.tsx";

const shown = 5;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await enterPortal(request, "advertiser", context);
  const [counts, pending, drafts, activity] = await Promise.all([
    countCampaigns(ctx),
    listCampaigns(ctx, { status: "pending", limit: shown }),
    listCampaigns(ctx, { status: "draft", limit: shown }),
    listRecentActivity(ctx),
  ]);
  const { companyName, accountId } = viewer;
  return {
    base,
    companyName,
    accountId,
    counts,
    pending: pending.rows,
    drafts: drafts.rows,
    activity,
    now: ctx.clock(),
  };
}

export default function AdvertiserDashboard() {
  const { base, companyName, accountId, counts, pending, drafts, activity, now } = useLoaderData<typeof loader>();
  const to = (path: `/${string}`) => portalHref(base, path);
  const create = (
    <LinkButton to={to("/campaigns/create")} variant="primary" icon={Plus}>
      Create Campaign
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Dashboard" subtitle={`The campaigns of ${companyName}`} actions={create} />
      <div className="stack">
        <StatTiles
          stats={[
            {
              label: "Active Campaigns",
              value: formatCount(counts.active),
              note: `of ${formatNumberOf(counts.all, "campaign")}`,
              to: to("/campaigns?status=active"),
            },
            {
              label: "Pending",
              value: formatCount(counts.pending),
              note: "waiting for publishers",
              to: to("/campaigns?status=pending"),
            },
            {
              label: "Paused",
              value: formatCount(counts.paused),
              note: "by you",
              to: to("/campaigns?status=paused"),
            },
            {
              label: "Drafts",
              value: formatCount(counts.draft),
              note: "not launched",
              to: to("/campaigns?status=draft"),
            },
            {
              label: "Completed",
              value: formatCount(counts.completed),
              note: "ended or spent",
              to: to("/campaigns?status=completed"),
            },
          ]}
        />
        <div className="split">
          <div className="stack">
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
            <Card title="Quick Actions">
              <div className="grid gap-2">
                <LinkButton to={to("/campaigns/create")} icon={Plus}>
                  Create a campaign
                </LinkButton>
                <LinkButton to={to("/campaigns")} icon={Megaphone}>
                  See all campaigns
                </LinkButton>
                <LinkButton to={to("/profile")} icon={UserCog}>
                  Edit your profile
                </LinkButton>
              </div>
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

export const meta: MetaFunction = () => [{ title: pageTitle("Dashboard") }];
