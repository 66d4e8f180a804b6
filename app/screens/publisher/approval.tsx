import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { ClipboardCheck } from "lucide-react";
import { z } from "zod";
import { approvalFilters, countLineItems, listLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader, Tabs } from "#app/ui/layout.tsx";
import { Pagination } from "#app/ui/table.tsx";
import { cursorParam, readSearch } from "#app/web/search-params.server.ts";
import { ApprovalCard } from "./approval-card.tsx";

const searchSchema = z.object({ status: z.enum(approvalFilters).catch("pending"), cursor: cursorParam });
const pageSize = 20;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { status, cursor } = readSearch(request, searchSchema);
  const [page, counts] = await Promise.all([
    listLineItems(ctx, { approval: status, cursor, limit: pageSize }),
    countLineItems(ctx),
  ]);
  return { base, status, cursor, page, counts: counts.approval, now: ctx.clock() };
}

export default function CampaignApproval() {
  const { base, status, cursor, page, counts, now } = useLoaderData<typeof loader>();
  const listHref = (query: string) => portalHref(base, `/approval?${query}`);
  const detailsHref = (id: string) =>
    portalHref(base, `/approval/${id}?status=${status}${cursor ? `&cursor=${cursor}` : ""}`);
  const pageHref = (to: string | null) => (to ? listHref(`status=${status}&cursor=${to}`) : undefined);
  return (
    <>
      <PageHeader title="Campaign Approval" subtitle="Review and approve advertiser campaigns" />
      <Tabs
        label="Approval status"
        tabs={tabs.map(({ value, label }) => ({
          to: listHref(`status=${value}`),
          label,
          count: counts[value],
          current: value === status,
        }))}
      />
      {page.rows.length === 0 ? (
        <Card>
          <EmptyState icon={ClipboardCheck} title="No campaigns found">
            No campaigns match the current filter
          </EmptyState>
        </Card>
      ) : (
        <ul className="grid gap-4">
          {page.rows.map((campaign) => (
            <ApprovalCard key={campaign.id} campaign={campaign} now={now} detailsHref={detailsHref(campaign.id)} />
          ))}
        </ul>
      )}
      {page.nextCursor || page.previousCursor ? (
        <Pagination
          shown={`${formatNumberOf(page.rows.length, "campaign")} of ${counts[status].toLocaleString("en-US")}`}
          previous={pageHref(page.previousCursor)}
          next={pageHref(page.nextCursor)}
        />
      ) : null}
      <Outlet />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Campaign Approval") }];

const tabs = [
  { value: "pending", label: "Pending Review" },
  { value: "approved", label: "Approved" },
  { value: "rejected", label: "Rejected" },
  { value: "all", label: "All Campaigns" },
] as const;
