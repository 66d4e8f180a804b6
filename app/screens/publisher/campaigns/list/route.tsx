import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { moneyDefinitionsOf } from "#app/domain/billing/money-words.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { handleCampaignAction } from "#app/screens/publisher/campaigns/campaign-actions.server.ts";
import { campaignColumns } from "#app/screens/publisher/campaigns/campaign-columns.tsx";
import { NoCampaigns } from "#app/screens/publisher/campaigns/no-campaigns.tsx";
import { BulkBar, bulkForm } from "#app/screens/shared/campaigns/bulk/bulk-bar.tsx";
import { archivedBulkIntents, publisherBulkIntents } from "#app/screens/shared/campaigns/bulk/bulk-intents.ts";
import { handleBulkAction } from "#app/screens/shared/campaigns/bulk/handle-bulk-action.server.ts";
import { lineItemVerbs } from "#app/screens/shared/campaigns/campaign-verbs.server.ts";
import { ListTools } from "#app/screens/shared/views/list-tools.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Card, PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { readFormData } from "#app/web/forms/form.server.ts";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";
import { CampaignFilters } from "./campaign-filters.tsx";
import { type CampaignSearch, campaignQuery, campaignTabs } from "./campaign-search.ts";
import { parseCampaignSearch } from "./parse-campaign-search.server.ts";
import { LineItemRowActions } from "./row-actions.tsx";
import { SummaryTiles } from "./summary-tiles.tsx";
import { toListedCampaign } from "./to-listed-campaign.server.ts";

const pageSize = 25;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requirePortalAccess(request, "publisher", context);
  const search = parseCampaignSearch(request);
  const [[page, counts, earnings], views] = await Promise.all([
    inSnapshot(ctx, (tx) =>
      Promise.all([
        pageOrFirstPage((query) => listLineItems(tx, query), {
          ...search,
          ...listFilter(search.filter),
          limit: pageSize,
        }),
        countLineItems(tx),
        getEarnings(tx),
      ]),
    ),
    listSavedViews(ctx, { userId: viewer.id, list: "campaigns" }),
  ]);
  const definitions = moneyDefinitionsOf(["commission_earned", "total_earnings", "not_settled"]);
  const rows = page.rows.map(toListedCampaign);
  return { base, search, page: { ...page, rows }, counts, earnings, definitions, views };
}

/** The tab of the archived campaigns is not one of the API's filters, which apply to both. */
function listFilter(tab: CampaignSearch["filter"]) {
  return tab === "archived" ? { filter: undefined, archived: true } : { filter: tab };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const back = portalHref(base, `/campaigns${new URL(request.url).search}`);
  const form = await readFormData(request);
  if (form.has("bulk")) {
    return handleBulkAction(ctx, { form, back, verbs: lineItemVerbs, kind: "line_item" });
  }
  return handleCampaignAction(ctx, form, back);
}

export default function CampaignManagement() {
  const { base, search, page, counts, earnings, definitions, views } = useLoaderData<typeof loader>();
  const listHref = (changes: Partial<typeof search>) => portalHref(base, `/campaigns${campaignQuery(search, changes)}`);
  const pageHref = (cursor: string | null) => (cursor ? listHref({ cursor }) : undefined);
  const sortHref = (sort: typeof search.sort) => listHref({ sort });
  const { columns, choices, chosen } = chooseColumns(
    campaignColumns(base, { sort: search.sort, sortHref }),
    search.columns,
  );
  return (
    <>
      <PageHeader
        title="Campaign Management"
        subtitle="Manage campaigns using your audiences"
        actions={
          <LinkButton to={portalHref(base, "/campaigns/create-for-advertiser")} variant="primary" icon="plus">
            Create Campaign for Advertiser
          </LinkButton>
        }
      />
      <div className="stack">
        <SummaryTiles counts={counts} earnings={earnings} definitions={definitions} />
        <div>
          <Tabs
            label="Campaigns"
            tabs={campaignTabs.map(({ value, label }) => ({
              to: listHref({ filter: value }),
              label,
              count: counts.management[value],
              current: value === search.filter,
            }))}
          />
          <Card flush>
            <ListHead
              filters={
                <CampaignFilters search={search} count={pluralize(counts.management[search.filter], "campaign")} />
              }
            >
              <ListTools
                base={base}
                list="campaigns"
                all="All campaigns"
                views={views}
                choices={choices}
                chosen={chosen}
                queryOf={(changes) => campaignQuery(search, changes)}
                saved={search.saved}
              />
            </ListHead>
            {page.rows.length === 0 ? (
              <NoCampaigns base={base} hasAny={counts.hasAny} />
            ) : (
              <>
                <DataTable
                  caption="Campaigns using your audiences"
                  columns={columns}
                  rows={page.rows}
                  rowName={({ name }) => name}
                  select={{
                    ...bulkForm,
                    bar: (
                      <BulkBar
                        intents={search.filter === "archived" ? archivedBulkIntents : publisherBulkIntents}
                        exportHref={portalHref(base, "/campaigns/export.csv")}
                      />
                    ),
                  }}
                  actionsWidth={180}
                  actions={(campaign) => <LineItemRowActions base={base} campaign={campaign} />}
                />
                <Pagination
                  shown={`Showing ${pluralize(page.rows.length, "campaign")}`}
                  previous={pageHref(page.previousCursor)}
                  next={pageHref(page.nextCursor)}
                />
              </>
            )}
          </Card>
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Campaign Management") }];
