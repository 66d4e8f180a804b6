import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Plug, SearchX, Upload, Users, UserX } from "lucide-react";
import { z } from "zod";
import { audienceStatuses, segments } from "#app/domain/audiences/audience.ts";
import { countOwnAudiences, listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { cursorParam, queryParam, readSearch } from "#app/web/search-params.server.ts";
import { audienceColumns } from "./audience-columns.tsx";
import { AudienceFilters } from "./audience-filters.tsx";
import { audienceQuery } from "./audience-search.ts";

const searchSchema = z.object({
  q: queryParam,
  segment: z.enum(["all", ...segments]).catch("all"),
  status: z.enum(["all", ...audienceStatuses]).catch("all"),
  cursor: cursorParam,
});
const pageSize = 25;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const search = readSearch(request, searchSchema);
  const filter = {
    q: search.q,
    segment: search.segment === "all" ? undefined : search.segment,
    status: search.status === "all" ? undefined : search.status,
  };
  const [page, matching] = await Promise.all([
    listOwnAudiences(ctx, { ...filter, cursor: search.cursor, limit: pageSize }),
    countOwnAudiences(ctx, filter),
  ]);
  return { base, search, page, matching };
}

export default function Audiences() {
  const { base, search, page, matching } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? audienceQuery(search, { cursor }) : undefined);
  const filtered = Boolean(search.q) || search.segment !== "all" || search.status !== "all";
  const create = (
    <LinkButton to={portalHref(base, "/audiences/create")} variant="primary" icon={Upload}>
      Upload Audience
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Audiences"
        subtitle="Your customers, as audiences that advertisers choose"
        actions={
          <>
            <LinkButton to={portalHref(base, "/audiences/connections")} icon={Plug}>
              Connections
            </LinkButton>
            <LinkButton to={portalHref(base, "/audiences/erasure")} icon={UserX}>
              Erase people
            </LinkButton>
            {create}
          </>
        }
      />
      <Card flush>
        {page.rows.length === 0 && !filtered ? (
          <EmptyState icon={Users} title="No audiences yet" action={create}>
            Upload a customer file or send people by the API. From 1,000 distinct people on, advertisers can choose the
            audience.
          </EmptyState>
        ) : (
          <>
            <AudienceFilters
              key={audienceQuery(search, {})}
              search={search}
              count={formatNumberOf(matching, "audience")}
            />
            {page.rows.length === 0 ? (
              <EmptyState
                icon={SearchX}
                title="No audiences found"
                action={<LinkButton to={portalHref(base, "/audiences")}>Clear search and filters</LinkButton>}
              >
                No audiences match the current filter
              </EmptyState>
            ) : (
              <>
                <DataTable
                  caption="Audiences"
                  columns={audienceColumns(base)}
                  rows={page.rows}
                  actions={({ id, name, status }) => (
                    <RowActions page={portalHref(base, `/audiences/${id}`)} name={name} open={status !== "archived"} />
                  )}
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

/** An archived audience can be looked at, no more. */
function RowActions({ page, name, open }: { page: string; name: string; open: boolean }) {
  return (
    <>
      <IconLink to={page} label="Details" of={`of ${name}`} icon="view" />
      {open ? (
        <>
          <IconLink to={`${page}/edit`} label="Edit" of={name} icon="edit" />
          <Menu label="More actions" of={`for ${name}`}>
            <Link to={`${page}#upload`}>Upload files</Link>
            <Link to={`${page}/api`}>Use the API</Link>
            <Link to={`${page}/archive`}>Archive</Link>
          </Menu>
        </>
      ) : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Audiences") }];
