import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { countOwnAudiences, listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ListTools } from "#app/screens/shared/views/list-tools.tsx";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Link } from "#app/ui/link.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { rowIcon } from "#app/ui/row-icon.tsx";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";
import { audienceColumns } from "./audience-columns.tsx";
import { AudienceFilters } from "./audience-filters.tsx";
import { audienceQuery } from "./audience-search.ts";
import { parseAudienceSearch } from "./parse-audience-search.server.ts";

const pageSize = 25;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requirePortalAccess(request, "publisher", context);
  const search = parseAudienceSearch(request);
  const filter = {
    q: search.q,
    segment: search.segment === "all" ? undefined : search.segment,
    status: search.status === "all" ? undefined : search.status,
  };
  const query = { ...filter, sort: search.sort, cursor: search.cursor, limit: pageSize };
  const [[page, matching], views] = await Promise.all([
    inSnapshot(ctx, (tx) =>
      Promise.all([pageOrFirstPage((one) => listOwnAudiences(tx, one), query), countOwnAudiences(tx, filter)]),
    ),
    listSavedViews(ctx, { userId: viewer.id, list: "audiences" }),
  ]);
  return { base, search, page, matching, views };
}

export default function Audiences() {
  const { base, search, page, matching, views } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? audienceQuery(search, { cursor }) : undefined);
  const { columns, choices, chosen } = chooseColumns(audienceColumns(base, search), search.columns);
  const filtered = Boolean(search.q) || search.segment !== "all" || search.status !== "all";
  const create = (
    <LinkButton to={portalHref(base, "/audiences/create")} variant="primary" icon="upload">
      Upload Audience
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Audiences"
        subtitle="Audiences built from your customers for advertisers to use"
        actions={
          <>
            <LinkButton to={portalHref(base, "/audiences/connections")} icon="plug">
              Integrations
            </LinkButton>
            <LinkButton to={portalHref(base, "/audiences/erasure")} icon="user-x">
              Erase people
            </LinkButton>
            {create}
          </>
        }
      />
      <Card flush>
        {page.rows.length === 0 && !filtered ? (
          <EmptyState icon="users" title="No audiences yet" action={create}>
            Upload a customer file or add people with the API. Advertisers can use an audience once it has 1,000
            distinct people.
          </EmptyState>
        ) : (
          <>
            <ListHead filters={<AudienceFilters search={search} count={pluralize(matching, "audience")} />}>
              <ListTools
                base={base}
                list="audiences"
                all="All audiences"
                views={views}
                choices={choices}
                chosen={chosen}
                queryOf={(changes) => audienceQuery(search, changes)}
                saved={search.saved}
              />
            </ListHead>
            {page.rows.length === 0 ? (
              <EmptyState
                icon="search-x"
                title="No audiences found"
                action={<LinkButton to={portalHref(base, "/audiences")}>Clear search and filters</LinkButton>}
              >
                No audiences match the current filter
              </EmptyState>
            ) : (
              <>
                <DataTable
                  caption="Audiences"
                  columns={columns}
                  rows={page.rows}
                  rowName={({ name }) => name}
                  actions={({ id, name, status }) => (
                    <RowActions page={portalHref(base, `/audiences/${id}`)} name={name} open={status !== "archived"} />
                  )}
                  hasOneAction={({ status }) => status === "archived"}
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

/** An archived audience can only be viewed. */
function RowActions({ page, name, open }: { page: string; name: string; open: boolean }) {
  return (
    <>
      <IconLink to={page} label="Details" itemName={`of ${name}`} icon="view" />
      {open ? (
        <>
          <IconLink to={`${page}/edit`} label="Edit" itemName={name} icon="edit" />
          <Menu label="More actions" itemName={`for ${name}`}>
            <Link to={`${page}#upload`} className={rowIcon("upload")}>
              Upload files
            </Link>
            <Link to={`${page}/api`} className={rowIcon("code")}>
              Use the API
            </Link>
            <Link to={`${page}/archive`} className={rowIcon("archive")}>
              Archive
            </Link>
          </Menu>
        </>
      ) : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Audiences") }];
