import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Megaphone, Plus, SearchX } from "lucide-react";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { Pagination } from "#app/ui/table.tsx";
import { readForm } from "#app/web/form.server.ts";
import { CampaignTable } from "./campaign-list/campaign-table.tsx";
import { ListFilters } from "./campaign-list/list-filters.tsx";
import { listQuery } from "./campaign-list/list-search.ts";
import { loadList } from "./campaign-list/load-list.server.ts";
import { steerCampaign } from "./campaign-list/steer-campaign.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  return { base, ...(await loadList(ctx, request)) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const form = await readForm(request);
  return steerCampaign(ctx, { form, back: portalHref(base, `/campaigns${new URL(request.url).search}`), base });
}

export default function Campaigns() {
  const { base, search, page, all, matching } = useLoaderData<typeof loader>();
  const create = (
    <LinkButton to={portalHref(base, "/campaigns/create")} variant="primary" icon={Plus}>
      Create Campaign
    </LinkButton>
  );
  const pageHref = (cursor: string | null) => (cursor ? listQuery(search, { cursor }) : undefined);
  return (
    <>
      <PageHeader
        title="My Campaigns"
        subtitle="Plan, launch and steer every campaign in one place."
        actions={create}
      />
      <Card flush>
        {all === 0 ? (
          <EmptyState icon={Megaphone} title="No campaigns yet" action={create}>
            A campaign takes six short steps, saved as you go. You launch it when it is ready.
          </EmptyState>
        ) : (
          <>
            <ListFilters key={listQuery(search, {})} search={search} count={formatNumberOf(matching, "campaign")} />
            {page.rows.length === 0 ? (
              <EmptyState
                icon={SearchX}
                title="No campaigns found"
                action={<LinkButton to={portalHref(base, "/campaigns")}>Clear search and filter</LinkButton>}
              >
                No campaigns match the current filter
              </EmptyState>
            ) : (
              <>
                <CampaignTable base={base} search={search} campaigns={page.rows} />
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
