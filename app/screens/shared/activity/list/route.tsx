import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { isReversed, reversedRange } from "#app/domain/analytics/period.ts";
import { activityKindLabels } from "#app/domain/audit/activity.ts";
import { listActivity, listActivityPeople } from "#app/domain/audit/list-activity.server.ts";
import { appName, pageTitle } from "#app/domain/branding.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { readStale } from "#app/domain/stale-reads.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { type ActivityLine, toActivityLines } from "#app/screens/shared/activity/activity-lines.ts";
import { activityQuery, parseActivitySearch } from "#app/screens/shared/activity/activity-search.server.ts";
import { ActivitySentence } from "#app/screens/shared/activity/activity-sentence.tsx";
import { FilterSelect } from "#app/screens/shared/billing/overview/billing-filters.tsx";
import { ViewsMenu } from "#app/screens/shared/views/views-menu.tsx";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchInput } from "#app/ui/filter-form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";

const pageSize = 50;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const { cursor, ...search } = parseActivitySearch(request);
  const [page, people, views] = await Promise.all([
    pageOrFirstPage(
      (query: typeof search & { cursor?: string }) =>
        readStale(ctx, (reading) => listActivity(reading, { ...query, limit: pageSize })),
      { ...search, cursor },
    ),
    listActivityPeople(ctx),
    listSavedViews(ctx, { userId: viewer.id, list: "activity" }),
  ]);
  const query = activityQuery({ ...search, saved: undefined });
  const pageHref = (to: string | null) => (to ? activityQuery({ ...search, cursor: to }) : undefined);
  return {
    base,
    search,
    query,
    views,
    people,
    lines: toActivityLines(page.rows, ctx.actor).map(toListItem),
    previous: pageHref(page.previousCursor),
    next: pageHref(page.nextCursor),
    exportHref: portalHref(base, `/activity/export.csv${query}`),
  };
}

/** Without the entry's id: fifty of them are a tenth of the page (gzip). */
function toListItem({ id, action, ...line }: ActivityLine) {
  return line;
}

export default function Activity() {
  const { formatDateTime } = useTimeFormats();
  const { base, search, query, views, lines, previous, next } = useLoaderData<typeof loader>();
  const to = lastDayErrors(search);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/profile"), label: "Profile" }]} here="Activity" />
      <PageHeader title="Activity" subtitle="Actions by your team, your API keys and other companies" />
      <div className="stack">
        <ErrorSummary errors={toSummaryErrors({ to })} />
        <Card flush>
          <ListHead filters={<Filters />}>
            <ViewsMenu
              base={base}
              list="activity"
              all="All activity"
              views={views}
              query={query}
              saved={search.saved}
            />
          </ListHead>
          {to.length > 0 ? (
            <EmptyState icon="rotate-ccw-clock" title="This range ends before it begins">
              Choose a last day that is not before the first.
            </EmptyState>
          ) : lines.length === 0 ? (
            <EmptyState icon="rotate-ccw-clock" title="No activity found">
              No activity matches the current filter.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Activity"
                columns={[
                  {
                    header: "Event",
                    place: "title",
                    wraps: true,
                    width: 300,
                    cell: (line) => (
                      <>
                        <ActivitySentence line={line} base={base} />
                        <small className="only-narrow">{formatDateTime(line.at)}</small>
                      </>
                    ),
                  },
                  { header: "Type", priority: 2, cell: ({ kind }) => activityKindLabels[kind] },
                  { header: "Source", priority: 3, width: 90, cell: ({ entrypoint }) => entrypoint },
                  {
                    header: "Time",
                    priority: 1,
                    width: 210,
                    cell: ({ at }) => <time dateTime={at.toISOString()}>{formatDateTime(at)}</time>,
                  },
                ]}
                rows={lines.map((line, index) => ({ ...line, id: `${line.at.getTime()} ${index}` }))}
              />
              <Pagination shown={`${lines.length} shown, newest first`} previous={previous} next={next} />
            </>
          )}
        </Card>
      </div>
    </>
  );
}

function lastDayErrors(search: { from?: string; to?: string }): string[] {
  return isReversed(search) ? [reversedRange] : [];
}

function Filters() {
  const { search, query, people, exportHref } = useLoaderData<typeof loader>();
  const who: Record<string, string> = {
    ...Object.fromEntries(people.map(({ id, name }) => [id, name])),
    keys: "API keys",
    others: "Other companies",
    endcap: appName,
  };
  const [error] = lastDayErrors(search);
  return (
    <FilterForm query={query} label="Filter">
      <ListStateFields state={{ saved: search.saved }} />
      <SearchInput label="Search activity" value={search.q} />
      <FilterSelect name="kind" label="Type" all="All types" labels={activityKindLabels} value={search.kind} />
      <FilterSelect<string> name="who" label="Actor" all="Everyone" labels={who} value={search.who} />
      <div className="date-filters">
        <label className="date-filter">
          From (UTC)
          <input type="date" name="from" className="input" defaultValue={search.from} />
        </label>
        <label className="date-filter">
          To (UTC)
          <input
            type="date"
            id="to"
            name="to"
            className="input"
            aria-describedby={error && "to-error"}
            aria-invalid={error ? true : undefined}
            defaultValue={search.to}
          />
        </label>
        {error ? (
          <p className="error" id="to-error">
            {error}
          </p>
        ) : null}
      </div>
      <Button>Filter</Button>
      <a className="button" href={exportHref}>
        <Icon name="download" />
        Export CSV
      </a>
    </FilterForm>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Activity") }];
