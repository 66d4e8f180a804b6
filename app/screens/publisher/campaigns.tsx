import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { Megaphone, Plus, Search } from "lucide-react";
import { z } from "zod";
import { countLineItems, listLineItems, managementFilters } from "#app/domain/campaigns/list-line-items.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button, IconLink, LinkButton } from "#app/ui/button.tsx";
import { formatCompact, formatNumberOf, formatPercent } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader, Tabs } from "#app/ui/layout.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { cursorParam, queryParam, readSearch } from "#app/web/search-params.server.ts";
import { campaignColumns } from "./campaign-columns.tsx";
import { PauseForm } from "./pause-form.tsx";
import { submitPauseIntent } from "./pause-intent.server.ts";

const searchSchema = z.object({ filter: z.enum(managementFilters).catch("all"), q: queryParam, cursor: cursorParam });
const pageSize = 25;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const search = readSearch(request, searchSchema);
  const [page, counts] = await Promise.all([listLineItems(ctx, { ...search, limit: pageSize }), countLineItems(ctx)]);
  return { base, search, page, counts };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitPauseIntent(ctx, request, portalHref(base, `/campaigns${new URL(request.url).search}`));
}

export default function CampaignManagement() {
  const { base, search, page, counts } = useLoaderData<typeof loader>();
  const listHref = (changes: Partial<typeof search>) => {
    const { filter, q, cursor } = { ...search, cursor: undefined, ...changes };
    const query = new URLSearchParams({ filter, ...(q && { q }), ...(cursor && { cursor }) });
    return portalHref(base, `/campaigns?${query}`);
  };
  const pageHref = (cursor: string | null) => (cursor ? listHref({ cursor }) : undefined);
  return (
    <>
      <PageHeader
        title="Campaign Management"
        subtitle="Manage campaigns using your audiences"
        actions={
          <LinkButton to={portalHref(base, "/campaigns/create-for-advertiser")} variant="primary" icon={Plus}>
            Create Campaign for Advertiser
          </LinkButton>
        }
      />
      <div className="stack">
        <StatTiles
          stats={[
            { label: "Total Campaigns", value: formatCompact(counts.management.all) },
            { label: "Commission Earned", value: formatCents(counts.commissionCents) },
            { label: "Total Impressions", value: formatCompact(counts.impressions) },
            { label: "Avg. CTR", value: formatPercent(counts.averageCtr) },
          ]}
        />
        <div>
          <Tabs
            label="Campaigns"
            tabs={tabs.map(({ value, label }) => ({
              to: listHref({ filter: value }),
              label,
              count: counts.management[value],
              current: value === search.filter,
            }))}
          />
          <Card flush>
            <Form method="get" role="search" className="toolbar">
              <input type="hidden" name="filter" value={search.filter} />
              <span className="input-affix">
                <span aria-hidden>
                  <Search className="icon" />
                </span>
                <input
                  key={search.q}
                  className="input"
                  type="search"
                  name="q"
                  aria-label="Search by name"
                  placeholder="Search by name"
                  defaultValue={search.q}
                />
              </span>
              <Button>Search</Button>
              {search.q ? (
                <LinkButton variant="ghost" to={listHref({ q: undefined })}>
                  Clear
                </LinkButton>
              ) : (
                <span className="count">{formatNumberOf(counts.management[search.filter], "campaign")}</span>
              )}
            </Form>
            {page.rows.length === 0 ? (
              <EmptyState icon={Megaphone} title="No campaigns found">
                No campaigns match the current filter
              </EmptyState>
            ) : (
              <DataTable
                caption="Campaigns using your audiences"
                columns={campaignColumns(base)}
                rows={page.rows}
                actions={(campaign) => (
                  <>
                    <PauseForm campaign={campaign} />
                    {campaign.status === "pending" && campaign.approvalStatus === "pending" ? (
                      <LinkButton to={portalHref(base, `/approval/${campaign.id}?status=pending`)}>
                        Review
                        <span className="sr-only"> {campaign.name}</span>
                      </LinkButton>
                    ) : null}
                    {campaign.impressions > 0 ? (
                      <IconLink
                        to={portalHref(base, `/analytics?campaign=${campaign.id}&group=day`)}
                        label="Analytics"
                        of={`of ${campaign.name}`}
                        icon="chart"
                      />
                    ) : null}
                    <IconLink
                      to={portalHref(base, `/campaigns/${campaign.id}`)}
                      label="Details"
                      of={`of ${campaign.name}`}
                      icon="view"
                    />
                  </>
                )}
              />
            )}
            <Pagination
              shown={`Showing ${formatNumberOf(page.rows.length, "campaign")}`}
              previous={pageHref(page.previousCursor)}
              next={pageHref(page.nextCursor)}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Campaign Management") }];

const tabs = [
  { value: "all", label: "All Campaigns" },
  { value: "active", label: "Active" },
  { value: "managed", label: "Managed by Me" },
  { value: "pending", label: "Pending Approval" },
] as const;
