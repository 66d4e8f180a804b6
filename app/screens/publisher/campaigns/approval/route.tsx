import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { listFirstCreatives } from "#app/domain/campaigns/line-items/list-first-creatives.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { NoCampaigns } from "#app/screens/publisher/campaigns/no-campaigns.tsx";
import { ViewsMenu } from "#app/screens/shared/views/views-menu.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Card, PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { approvalQuery, approvalTabs } from "./approval-search.ts";
import { parseApprovalSearch } from "./parse-approval-search.server.ts";

const pageSize = 20;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requirePortalAccess(request, "publisher", context);
  const search = parseApprovalSearch(request);
  const query = { approval: search.status, cursor: search.cursor, limit: pageSize };
  const [[page, counts], views] = await Promise.all([
    inSnapshot(ctx, (tx) => Promise.all([pageOrFirstPage((one) => listLineItems(tx, one), query), countLineItems(tx)])),
    listSavedViews(ctx, { userId: viewer.id, list: "approvals" }),
  ]);
  const creatives = await listFirstCreatives(ctx, page.rows);
  return { base, search, views, page, creatives, counts: counts.approval, hasAny: counts.hasAny, now: ctx.clock() };
}

export default function CampaignApproval() {
  const { base, search, views, page, creatives, counts, hasAny, now } = useLoaderData<typeof loader>();
  const { status, cursor, saved } = search;
  const listHref = (changes: Partial<typeof search>) => portalHref(base, `/approval${approvalQuery(search, changes)}`);
  const detailsHref = (id: string) => portalHref(base, `/approval/${id}${approvalQuery(search, { cursor })}`);
  const pageHref = (to: string | null) => (to ? listHref({ cursor: to }) : undefined);
  return (
    <>
      <PageHeader
        title="Campaign Approval"
        subtitle="Review and approve advertiser campaigns"
        actions={
          <ViewsMenu
            base={base}
            list="approvals"
            all="Pending Review"
            views={views}
            query={approvalQuery(search, { saved: undefined })}
            saved={saved}
          />
        }
      />
      <Tabs
        label="Approval status"
        tabs={approvalTabs.map(({ value, label }) => ({
          to: listHref({ status: value }),
          label,
          count: counts[value],
          current: value === status,
        }))}
      />
      {page.rows.length === 0 ? (
        <Card>
          <NoCampaigns base={base} hasAny={hasAny} />
        </Card>
      ) : (
        <ul className="grid gap-4">
          {page.rows.map((campaign) => (
            <ApprovalCard
              key={campaign.id}
              campaign={campaign}
              creative={creatives[campaign.id]}
              now={now}
              detailsHref={detailsHref(campaign.id)}
            />
          ))}
        </ul>
      )}
      {page.nextCursor || page.previousCursor ? (
        <Pagination
          shown={`${pluralize(page.rows.length, "campaign")} of ${counts[status].toLocaleString("en-US")}`}
          previous={pageHref(page.previousCursor)}
          next={pageHref(page.nextCursor)}
        />
      ) : null}
      <Outlet />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Campaign Approval") }];
