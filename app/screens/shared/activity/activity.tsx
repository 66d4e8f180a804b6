import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Download, History } from "lucide-react";
import { isReversed } from "#app/domain/analytics/period.ts";
import { activityKindLabels } from "#app/domain/audit/activity.ts";
import { listActivity, listActivityPeople } from "#app/domain/audit/list-activity.server.ts";
import { pageTitle, productName } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchBox } from "#app/ui/filter-form.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { pageOrFirst } from "#app/web/search-params.server.ts";
import { FilterSelect } from "../billing/billing-filters.tsx";
import { activityLines } from "./activity-lines.ts";
import { activityQuery, readActivitySearch } from "./activity-search.server.ts";
import { ActivitySentence } from "./activity-sentence.tsx";

const pageSize = 50;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { cursor, ...search } = readActivitySearch(request);
  const [page, people] = await Promise.all([
    pageOrFirst((asked: typeof search & { cursor?: string }) => listActivity(ctx, { ...asked, limit: pageSize }), {
      ...search,
      cursor,
    }),
    listActivityPeople(ctx),
  ]);
  const pageHref = (to: string | null) => (to ? activityQuery({ ...search, cursor: to }) : undefined);
  return {
    base,
    search,
    people,
    lines: activityLines(page.rows, ctx.actor),
    previous: pageHref(page.previousCursor),
    next: pageHref(page.nextCursor),
    exportHref: portalHref(base, `/activity/export.csv${activityQuery({ ...search, cursor: undefined })}`),
  };
}

export default function Activity() {
  const { base, search, lines, previous, next } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/profile"), label: "Profile" }]} here="Activity" />
      <PageHeader title="Activity" subtitle="Who did what in this account, and what happened to what is yours" />
      <Card flush>
        <Filters />
        {isReversed(search) ? (
          <EmptyState icon={History} title="This range ends before it begins">
            Choose a last day that is not before the first.
          </EmptyState>
        ) : lines.length === 0 ? (
          <EmptyState icon={History} title="Nothing found">
            Nothing that happened matches the current filter.
          </EmptyState>
        ) : (
          <>
            <DataTable
              caption="Activity"
              columns={[
                { head: "What", wide: true, cell: (line) => <ActivitySentence line={line} base={base} /> },
                { head: "Kind", cell: ({ kind }) => activityKindLabels[kind] },
                { head: "How", cell: ({ door }) => door },
                {
                  head: "When",
                  cell: ({ at }) => <time dateTime={at.toISOString()}>{formatInstant(at)}</time>,
                },
              ]}
              rows={lines}
            />
            <Pagination shown={`${lines.length} shown, newest first`} previous={previous} next={next} />
          </>
        )}
      </Card>
    </>
  );
}

function Filters() {
  const { search, people, exportHref } = useLoaderData<typeof loader>();
  const who: Record<string, string> = {
    ...Object.fromEntries(people.map(({ id, name }) => [id, name])),
    keys: "API keys",
    others: "Other companies",
    endcap: productName,
  };
  return (
    <FilterForm label="Filter">
      <SearchBox label="Search activity" value={search.q} />
      <FilterSelect name="kind" label="Kind" all="All kinds" words={activityKindLabels} value={search.kind} />
      <FilterSelect<string> name="who" label="Who" all="Everybody" words={who} value={search.who} />
      <input type="date" name="from" className="input" aria-label="From (UTC)" defaultValue={search.from} />
      <input
        type="date"
        name="to"
        className="input"
        aria-label="To (UTC)"
        aria-invalid={isReversed(search) || undefined}
        defaultValue={search.to}
      />
      <Button>Filter</Button>
      <a className="button" href={exportHref} download>
        <Download aria-hidden />
        Export CSV
      </a>
    </FilterForm>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Activity") }];
