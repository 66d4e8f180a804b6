import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { duplicateFor, handleCampaignAction } from "#app/screens/advertiser/campaigns/campaign-actions.server.ts";
import { StartFromExample } from "#app/screens/advertiser/campaigns/start-from-example.tsx";
import { handleBulkAction } from "#app/screens/shared/campaigns/bulk/handle-bulk-action.server.ts";
import { campaignVerbs } from "#app/screens/shared/campaigns/campaign-verbs.server.ts";
import { ListTools } from "#app/screens/shared/views/list-tools.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { readFormData } from "#app/web/forms/form.server.ts";
import { CampaignFilters } from "./campaign-filters.tsx";
import { campaignQuery } from "./campaign-search.ts";
import { CampaignTable, campaignColumns } from "./campaign-table.tsx";
import { loadCampaigns } from "./load-campaigns.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requirePortalAccess(request, "advertiser", context);
  const [campaigns, views] = await Promise.all([
    loadCampaigns(ctx, request),
    listSavedViews(ctx, { userId: viewer.id, list: "campaigns" }),
  ]);
  return { base, views, idempotencyKey: crypto.randomUUID(), ...campaigns };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const form = await readFormData(request);
  const back = portalHref(base, `/campaigns${new URL(request.url).search}`);
  if (form.has("bulk")) {
    const verbs = { ...campaignVerbs, duplicate: duplicateFor(form) };
    return handleBulkAction(ctx, { form, back, verbs, kind: "campaign" });
  }
  return handleCampaignAction(ctx, { form, back, base });
}

export default function Campaigns() {
  const { base, views, idempotencyKey, search, page, all, matching } = useLoaderData<typeof loader>();
  const create = (
    <LinkButton to={portalHref(base, "/campaigns/create")} variant="primary" icon="plus">
      Create Campaign
    </LinkButton>
  );
  const pageHref = (cursor: string | null) => (cursor ? campaignQuery(search, { cursor }) : undefined);
  const { columns, choices, chosen } = chooseColumns(campaignColumns(base, search), search.columns);
  return (
    <>
      <PageHeader
        title="My Campaigns"
        subtitle="Plan, launch and manage every campaign in one place."
        actions={create}
      />
      <Card flush>
        {all === 0 ? (
          <EmptyState
            icon="megaphone"
            title="No campaigns yet"
            action={
              <div className="flex flex-wrap justify-center gap-3">
                {create}
                <StartFromExample base={base} idempotencyKey={idempotencyKey} />
              </div>
            }
          >
            Create one in six short steps, saved as you go. Launch it when you're ready.
          </EmptyState>
        ) : (
          <>
            <ListHead filters={<CampaignFilters search={search} count={pluralize(matching, "campaign")} />}>
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
              <EmptyState
                icon="search-x"
                title="No campaigns found"
                action={<LinkButton to={portalHref(base, "/campaigns")}>Clear search and filter</LinkButton>}
              >
                No campaigns match the current filter
              </EmptyState>
            ) : (
              <>
                <CampaignTable
                  base={base}
                  isArchive={search.status === "archived"}
                  columns={columns}
                  campaigns={page.rows}
                  idempotencyKey={idempotencyKey}
                />
                <Pagination
                  shown={`Showing ${formatCount(page.rows.length)} of ${formatCount(matching)}`}
                  previous={pageHref(page.previousCursor)}
                  next={pageHref(page.nextCursor)}
                />
              </>
            )}
          </>
        )}
      </Card>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("My Campaigns") }];
