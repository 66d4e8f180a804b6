import type { AnalyticsFilters } from "#app/domain/analytics/analytics.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { listDays, listPerformance, type Performance } from "#app/domain/analytics/list-performance.server.ts";
import { keyFigures, type PerformanceColumn } from "#app/domain/analytics/performance-columns.ts";
import { type Period, previousPeriod } from "#app/domain/analytics/period.ts";
import { addDays, type CalendarDate, calendarDateOf, daysInclusive } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { type AnalyticsSearch, usualGroup } from "./analytics-search.ts";
import { readAnalyticsSearch } from "./read-analytics-search.server.ts";

const pageSize = 25;
/** More points than these no line of a tile's size can show. */
const mostSparkDays = 92;

/** All that the screen shows, of one moment. */
export async function loadAnalytics(ctx: Ctx<TenantActor>, request: Request) {
  const { search, period, filters } = readAnalyticsSearch(request, calendarDateOf(ctx.clock()));
  return inSnapshot(ctx, async (tx) => ({
    search,
    period,
    previousPeriod: previousPeriod(period),
    filters,
    options: await listFilterOptions(tx, filters),
    ...(await compareTotals(tx, { period, filters })),
    ...(await loadCharts(tx, { search, period, filters })),
    table: await loadTable(tx, { search, period, filters }),
  }));
}

type Asked = { search: AnalyticsSearch; period: Period; filters: AnalyticsFilters };

async function loadTable(ctx: Ctx<TenantActor>, { search, ...asked }: Asked) {
  const group = search.group ?? usualGroup[search.view ?? ctx.actor.kind];
  const { sort, order } = search;
  const read = (page: number) =>
    listPerformance(ctx, { ...asked, group, sort, order, limit: pageSize, offset: (page - 1) * pageSize });
  const wanted = Number(search.page ?? 1);
  const found = await read(wanted);
  // A page that is not there any more is the first.
  const past = found.rows.length === 0 && wanted > 1;
  const page = past ? 1 : wanted;
  const { rows, count } = past ? await read(page) : found;
  return { group, page, pages: Math.ceil(count / pageSize), from: (page - 1) * pageSize + 1, rows, count };
}

async function loadCharts(ctx: Ctx<TenantActor>, { search, period, filters }: Asked) {
  const figures = keyFigures[ctx.actor.kind];
  const metric = figures.find(({ label }) => label === search.metric) ?? figures[0];
  const before = previousPeriod(period);
  const days = await listDays(ctx, { period, filters });
  const previousDays = await listDays(ctx, { period: before, filters });
  const { rows } = await listPerformance(ctx, { period, filters, group: "channel", sort: metric?.sort, limit: 10 });
  const sparks = daysInclusive(period.from, period.to) <= mostSparkDays;
  const today = calendarDateOf(ctx.clock());
  // Of today there is a part only, which no small line could say.
  const whole = days.filter(({ name }) => name !== today);
  return {
    today,
    metric: metric?.label ?? "",
    days: daysOf(period, days),
    values: valuesOf(days, metric),
    previousDays: daysOf(before, previousDays),
    previousValues: valuesOf(previousDays, metric),
    channels: rows.map((row) => ({ id: row.key ?? "", label: row.name, value: metric?.of(row) ?? null })),
    sparks: sparks ? figures.map((figure) => valuesOf(whole, figure)) : [],
  };
}

/** Rows of days are those of their period, in order. */
function daysOf({ from }: Period, rows: readonly Performance[]): CalendarDate[] {
  return rows.map((_, index) => addDays(from, index));
}

function valuesOf(rows: readonly Performance[], column: PerformanceColumn | undefined): (number | null)[] {
  // A day on which nobody saw anything has no rate.
  return rows.map((row) => (column?.kind === "percent" && row.impressions === 0 ? null : (column?.of(row) ?? null)));
}
