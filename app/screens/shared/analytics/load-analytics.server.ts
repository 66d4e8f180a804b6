import { type Dimension, type Grouping, type Interval, isInterval } from "#app/domain/analytics/analytics.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { breakdownLimits } from "#app/domain/analytics/breakdown-limits.ts";
import type { BreakdownRow } from "#app/domain/analytics/breakdown-matrix.ts";
import { groupMarks } from "#app/domain/analytics/campaign-marks.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { type OwnMetrics, ownMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { rejectTooManyFacts } from "#app/domain/analytics/facts-limit.server.ts";
import { intervalsIn } from "#app/domain/analytics/interval.ts";
import { listCampaignMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import {
  type AverageMetrics,
  type IntervalMetrics,
  listIntervals,
  listPreviousIntervals,
} from "#app/domain/analytics/list-intervals.server.ts";
import { listPerformance, type Performance } from "#app/domain/analytics/list-performance.server.ts";
import { keyMetrics, type PerformanceColumn } from "#app/domain/analytics/performance-columns.ts";
import { previousPeriod } from "#app/domain/analytics/period.ts";
import { type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, ReadCtx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { inStaleSnapshot, noticeableAsOf } from "#app/domain/stale-reads.server.ts";
import type { PartialEnds } from "#app/ui/chart/geometry.ts";
import { roundAverage } from "#app/ui/chart/metric-format.ts";
import { formatInterval } from "./format-interval.server.ts";
import { formatMarks, type MarkSummary } from "./format-marks.server.ts";
import { parseAnalyticsRequest } from "./parse-analytics-request.server.ts";

const pageSize = 25;
/** A sparkline of a tile's size cannot show more points. */
const maxSparkPoints = 92;

/** Loads everything the screen shows, from one snapshot. */
export async function loadAnalytics(ctx: Ctx<TenantActor>, request: Request) {
  const today = calendarDateOf(ctx.clock());
  const asked = parseAnalyticsRequest(request, { side: ctx.actor.kind, today });
  const { search, period, filters } = asked;
  return inStaleSnapshot(ctx, async (reading) => {
    const shown = { search, today, period, previousPeriod: previousPeriod(period), filters };
    const options = await listFilterOptions(reading, filters);
    const { totals, previous } = await compareTotals(reading, { period, filters });
    const side = ctx.actor.kind;
    const compared = { totals: ownMetrics(totals, side), previous: ownMetrics(previous, side) };
    const charts = await loadCharts(reading, asked, today);
    const table = await loadTable(reading, asked, today);
    return { ...shown, options, ...compared, ...charts, table, asOf: noticeableAsOf(reading) };
  });
}

/** Returns why the query can't be read, if its filters leave too much delivery without a roll-up. */
async function findTooMuch(
  ctx: ReadCtx<TenantActor>,
  query: Parameters<typeof rejectTooManyFacts>[1],
): Promise<string | undefined> {
  try {
    await rejectTooManyFacts(ctx, query);
    return undefined;
  } catch (error) {
    return messageOfTooMuch(error);
  }
}

/** Returns the message of an error about too much delivery; throws any other. */
function messageOfTooMuch(error: unknown): string {
  if (!(error instanceof DomainError) || error.code !== "invalid_input") throw error;
  return error.message;
}

/** A point of the chart: its first day and its name. */
export type ChartPoint = { day: CalendarDate; label: string };

type Asked = ReturnType<typeof parseAnalyticsRequest>;

/** The rows of the table: a page of one grouping, or the groups and parts of two. */
async function loadTable(ctx: ReadCtx<TenantActor>, asked: Asked, today: CalendarDate): Promise<AnalyticsTable> {
  const { search, period, filters, group, split, sort, order } = asked;
  if (split && !isInterval(group)) return loadBreakdown(ctx, { ...asked, group, split });

  const tooMuch = await findTooMuch(ctx, { period, filters, group: isInterval(group) ? "day" : group });
  if (tooMuch) return { ...noTable(asked), tooMuch };
  const read = (page: number) =>
    listPerformance(ctx, { period, filters, group, sort, order, limit: pageSize, offset: (page - 1) * pageSize });
  const wanted = Number(search.page ?? 1);
  const found = await read(wanted);
  // A page beyond the end falls back to the first.
  const past = found.rows.length === 0 && wanted > 1;
  const page = past ? 1 : wanted;
  const { rows, count } = past ? await read(page) : found;
  const times = isInterval(group) ? intervalsIn(period, group, today) : [];
  const nameOf = ({ key, name }: Performance) => {
    const time = times.find(({ start }) => start === key);
    return time && isInterval(group) ? formatInterval(time, { interval: group, today }) : name;
  };
  return {
    group,
    split: undefined,
    tooMuch: undefined,
    page,
    pages: Math.ceil(count / pageSize),
    from: (page - 1) * pageSize + 1,
    rows: rows.map((row) => toRow(ownMetrics({ ...row, name: nameOf(row) }, ctx.actor.kind))),
    count,
  };
}

/** A row of the table: `parent` is the name of the group that it is a part of, null for a row without parts. */
export type TableRow = OwnMetrics<Performance> & {
  id: string;
  isOthers: boolean;
  parent: string | null;
  hasParts: boolean;
};

function toRow(row: OwnMetrics<Performance>, place: Partial<TableRow> = {}): TableRow {
  return {
    ...row,
    id: row.key === null ? "none" : `of-${row.key}`,
    isOthers: false,
    parent: null,
    hasParts: false,
    ...place,
  };
}

async function loadBreakdown(
  ctx: ReadCtx<TenantActor>,
  asked: Asked & { group: Dimension; split: Dimension },
): Promise<AnalyticsTable> {
  const { group, split } = asked;
  try {
    const { groups, count } = await breakDownPerformance(ctx, { ...asked, limits: breakdownLimits.screen });
    const toOwnRow = (row: BreakdownRow, place: Partial<TableRow>) =>
      toRow(ownMetrics(row, ctx.actor.kind), { isOthers: row.isOthers, ...place });
    const rows = groups.flatMap(({ parts, ...row }, index) => [
      toOwnRow(row, { id: `${index}`, hasParts: true }),
      ...parts.map((part, place) => toOwnRow(part, { id: `${index}-${place}`, parent: row.name })),
    ]);
    return { ...noTable({ group, split }), rows, count };
  } catch (error) {
    return { ...noTable({ group, split }), tooMuch: messageOfTooMuch(error) };
  }
}

export type AnalyticsTable = {
  group: Grouping;
  split: Dimension | undefined;
  /** Why the table can't be split this way. */
  tooMuch: string | undefined;
  page: number;
  pages: number;
  from: number;
  rows: TableRow[];
  count: number;
};

function noTable({ group, split }: Pick<Asked, "group" | "split">): AnalyticsTable {
  return { group, split, tooMuch: undefined, page: 1, pages: 1, from: 1, rows: [], count: 0 };
}

async function loadCharts(
  ctx: ReadCtx<TenantActor>,
  { period, filters, interval, metric, second }: Asked,
  today: CalendarDate,
): Promise<Charts> {
  const { intervals, average } = await listIntervals(ctx, { period, filters, interval });
  const previous = await listPreviousIntervals(ctx, { period, filters, interval });
  const found = await listCampaignMarks(ctx, { period, filters });
  const { rows } = await listPerformance(ctx, { period, filters, group: "channel", sort: metric.sort, limit: 10 });
  const seriesOf = (column: PerformanceColumn) => ({
    label: column.label,
    values: valuesOf(intervals, column),
    previousValues: valuesOf(previous, column),
    average: averageOf(average, column),
  });
  // What is incomplete cannot be marked in a sparkline.
  const complete = intervals.filter(({ isPartial }) => !isPartial);
  return {
    interval,
    series: [metric, ...(second ? [second] : [])].map(seriesOf),
    points: intervals.map((one) => toPoint(one, { interval, today })),
    previousPoints: previous.map((one) => toPoint(one, { interval, today })),
    partialEnds: { first: intervals[0]?.isPartial ?? false, last: intervals.at(-1)?.isPartial ?? false },
    averagedCount: average?.count ?? 0,
    marks: groupMarks(found, intervals).flatMap((group) => {
      const one = intervals[group.index];
      const place = one && { ...one, ...toPoint(one, { interval, today }) };
      return place ? [formatMarks(group, { interval, place, side: ctx.actor.kind })] : [];
    }),
    marksFrom: found.readFrom,
    channels: rows.map((row) => ({ id: row.key ?? "", label: row.name, value: metric.of(row) })),
    sparks:
      intervals.length <= maxSparkPoints ? keyMetrics[ctx.actor.kind].map((figure) => valuesOf(complete, figure)) : [],
  };
}

type MetricSeries = {
  label: string;
  values: (number | null)[];
  previousValues: (number | null)[];
  average: number | null;
};

export type Charts = {
  interval: Interval;
  /** The metric and, if chosen, the second one. */
  series: MetricSeries[];
  points: ChartPoint[];
  previousPoints: ChartPoint[];
  partialEnds: PartialEnds;
  /** The number of complete intervals, which the average is of. */
  averagedCount: number;
  /** What happened to campaigns, by point. */
  marks: MarkSummary[];
  /** The first day that has marks, if earlier changes were too many to be read. */
  marksFrom: CalendarDate | null;
  channels: { id: string; label: string; value: number | null }[];
  /** The values of each tile's sparkline. */
  sparks: (number | null)[][];
};

function toPoint(interval: IntervalMetrics, place: Parameters<typeof formatInterval>[1]): ChartPoint {
  return { day: interval.from, label: formatInterval(interval, place) };
}

function valuesOf(rows: readonly IntervalMetrics[], column: PerformanceColumn): (number | null)[] {
  return rows.map((row) => column.of(row));
}

function averageOf(average: AverageMetrics | null, column: PerformanceColumn): number | null {
  const value = average && column.of(average);
  return value === null ? null : roundAverage(column.kind, value);
}
