import type { Readable } from "node:stream";
import type { PdfDocument } from "#app/documents/paper-document.ts";
import { PdfPool } from "#app/documents/pdf-pool.server.ts";
import { isInterval } from "#app/domain/analytics/analytics.ts";
import type { AnalyticsRequest } from "#app/domain/analytics/analytics-search.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { breakdownLimits } from "#app/domain/analytics/breakdown-limits.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { describeFilters } from "#app/domain/analytics/describe-filters.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { type PerformanceColumn, performanceColumns } from "#app/domain/analytics/performance-columns.ts";
import { appName } from "#app/domain/branding.ts";
import { formatFlight } from "#app/domain/calendar-date.ts";
import type { ReadCtx, TenantActor } from "#app/domain/context.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import type { ReportFormat } from "#app/domain/reports/report-schedule.ts";
import { noticeableAsOf } from "#app/domain/stale-reads.server.ts";
import { upperFirst } from "#app/domain/upper-first.ts";
import { formatMetric } from "#app/ui/chart/metric-format.ts";
import { formatUtcTime } from "#app/ui/format.ts";
import { maxPdfLines } from "../pdf-response.server.ts";
import { createPerformanceFile, nameColumns } from "./performance-export.server.ts";

/** A report as it was sent: its query has the dates. */
export type ReportSource = { name: string; companyName: string; query: string; format: ReportFormat };

export type ReportFile = { name: string; type: string; content: Readable | Buffer };

/** Documents for emails wait for each other, not for those that people download; nobody waits for them at a screen. */
const pool = new PdfPool({ waitingPerAccount: 32, maxWaitMs: 60_000, maxWriteMs: 60_000 });

/** The file of a sent report is available however much it sums: its reads have a deadline, its downloads a limit. */
export const maxReportFacts = Number.POSITIVE_INFINITY;

/**
 * Reads, in a snapshot, what the file of a report's email is made of and returns a function that makes the file
 * without a database: a CSV file as the analytics page exports it, or a PDF document of its first 500 rows. Throws
 * FileTooLargeError for a CSV file beyond `maxBytes`; the function throws PdfError when a document cannot be written
 * now.
 */
export async function prepareReportFile(
  ctx: ReadCtx<TenantActor>,
  report: ReportSource,
  { maxBytes }: { maxBytes?: number } = {},
): Promise<() => Promise<ReportFile>> {
  const name = reportFileName(ctx, report);
  if (report.format === "csv") {
    const request = parseReportQuery(ctx, report.query);
    const asked = { ...request, format: "csv", isForPeople: true, maxBytes, maxFacts: maxReportFacts } as const;
    const { type, content } = await createPerformanceFile(ctx, asked);
    return async () => ({ name, type, content });
  }
  const document = await loadReportDocument(ctx, report);
  return async () => {
    const chunks = await pool.write(document, { account: ctx.actor.accountId });
    return { name, type: "application/pdf", content: Buffer.from(await new Response(chunks).arrayBuffer()) };
  };
}

/** Reads a report as a document: its first 500 rows, and the totals of all. */
export async function loadReportDocument(ctx: ReadCtx<TenantActor>, report: ReportSource): Promise<PdfDocument> {
  const request = parseReportQuery(ctx, report.query);
  const { period, filters, group, split } = request;
  const groupings = [group, ...(split ? [split] : [])];
  const names = nameColumns(ctx, groupings);
  const columns = performanceColumns[ctx.actor.kind];
  const filtered = describeFilters(filters);
  const { rows, count } = await readRows(ctx, request, names);
  const { totals } = await compareTotals(ctx, { period, filters });
  const asOf = noticeableAsOf(ctx);
  const values = [...rows.map(({ metrics }) => metrics), totals].map((metrics) => format(columns, metrics));
  return {
    isLandscape: true,
    title: report.name,
    subtitle: report.companyName,
    issuer: appName,
    createdAt: ctx.clock(),
    facts: [
      { label: "Dates (UTC)", value: formatFlight(period.from, period.to) },
      ...(filtered ? [{ label: "Filtered by", value: upperFirst(filtered) }] : []),
      { label: "Rows", value: count.toLocaleString("en-US") },
      ...(asOf ? [{ label: "Figures as of", value: formatUtcTime(asOf) }] : []),
    ],
    table: {
      columns: [...columnWidths({ texts: names.heads, figures: columns.map(({ label }) => label), values })],
      rows: rows.map(({ texts, metrics }) => [...texts, ...format(columns, metrics)]),
      totals: ["Total", ...names.heads.slice(1).map(() => ""), ...format(columns, totals)],
    },
    note:
      count > rows.length
        ? `This document has the first ${maxPdfLines} rows. The totals include all of them. Export the view as CSV for every row.`
        : undefined,
  };
}

/** How many digits fit beside each other on a page, and what a column has besides its text. */
const page = { digits: 116, padding: 2 };

/** Gives each figure the width that its longest value needs, so that none is truncated, and the names what is left. */
function columnWidths({
  texts,
  figures,
  values,
}: {
  texts: readonly string[];
  figures: readonly string[];
  values: readonly (readonly string[])[];
}) {
  const own = figures.map((head, at) => ({
    head,
    width: values.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), head.length) + page.padding,
    right: true,
  }));
  const left = page.digits - own.reduce((sum, { width }) => sum + width, 0);
  return [...texts.map((head) => ({ head, width: Math.max(12, left / texts.length) })), ...own];
}

type Names = ReturnType<typeof nameColumns>;
type DocumentRow = { texts: string[]; metrics: DeliveryMetrics };

/** Reads the first rows of the table in the order of the screen; split by a second dimension, a row for each pair. */
async function readRows(
  ctx: ReadCtx<TenantActor>,
  { group, split, ...request }: AnalyticsRequest,
  names: Names,
): Promise<{ rows: DocumentRow[]; count: number }> {
  if (!split || isInterval(group)) {
    const { rows, count } = await listPerformance(ctx, { ...request, group, limit: maxPdfLines });
    return { rows: rows.map((row) => ({ texts: names.cells(row, group), metrics: row })), count };
  }
  const asked = { ...request, group, split, limits: breakdownLimits.file, maxFacts: maxReportFacts };
  const { groups } = await breakDownPerformance(ctx, asked);
  const rows = groups.flatMap(({ parts, ...whole }) =>
    parts.map((part) => ({ texts: [...names.cells(whole, group), ...names.cells(part, split)], metrics: part })),
  );
  return { rows, count: rows.length };
}

function format(columns: readonly PerformanceColumn[], metrics: DeliveryMetrics): string[] {
  return columns.map(({ kind, of }) => formatMetric(kind, of(metrics)));
}

/** Returns the report's name and dates in letters that every file system and mail program accepts. */
export function reportFileName(ctx: ReadCtx<TenantActor>, { name, query, format }: ReportSource): string {
  const { from, to } = parseReportQuery(ctx, query).period;
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  return `${plain || "report"}-${from}-${to}.${format}`;
}
