import type { Readable } from "node:stream";
import type { PdfDocument } from "#app/documents/paper-document.ts";
import { PdfPool } from "#app/documents/pdf-pool.server.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { counterpartyLabel, groupingLabels, performanceColumns } from "#app/domain/analytics/performance-columns.ts";
import { appName } from "#app/domain/branding.ts";
import { formatFlight } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import type { ReportFormat } from "#app/domain/reports/report-schedule.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { formatMetric } from "#app/ui/chart/metric-format.ts";
import { maxPdfLines } from "../pdf-response.server.ts";
import { createPerformanceFile } from "./performance-export.server.ts";

/** A report as it was sent: its query has the dates. */
export type ReportSource = { name: string; companyName: string; query: string; format: ReportFormat };

export type ReportFile = { name: string; type: string; content: Readable | Buffer };

/** Documents for emails wait for each other, not for those that people download. */
const pool = new PdfPool();

/**
 * Creates a report's file: a CSV file as the analytics page exports it, or a PDF document of its first 500 rows. Throws
 * FileTooLargeError for a CSV file beyond `maxBytes`, and PdfError when a document cannot be written now.
 */
export async function createReportFile(
  ctx: Ctx<TenantActor>,
  report: ReportSource,
  { maxBytes }: { maxBytes?: number } = {},
): Promise<ReportFile> {
  const name = reportFileName(ctx, report);
  if (report.format === "csv") {
    const request = parseReportQuery(ctx, report.query);
    const { type, content } = await createPerformanceFile(ctx, { ...request, format: "csv", maxBytes });
    return { name, type, content };
  }
  const document = await inSnapshot(ctx, (tx) => loadReportDocument(tx, report));
  const chunks = await pool.write(document, { account: ctx.actor.accountId });
  return { name, type: "application/pdf", content: Buffer.from(await new Response(chunks).arrayBuffer()) };
}

/** Reads a report as a document: its first 500 rows, and the totals of all. */
export async function loadReportDocument(ctx: Ctx<TenantActor>, report: ReportSource): Promise<PdfDocument> {
  const request = parseReportQuery(ctx, report.query);
  const { period, filters, group } = request;
  const { rows, count } = await listPerformance(ctx, { ...request, limit: maxPdfLines });
  const { totals } = await compareTotals(ctx, { period, filters });
  const columns = performanceColumns[ctx.actor.kind];
  const note = counterpartyLabel(ctx.actor.kind, group);
  const cells = (name: string, other: string | null, metrics: DeliveryMetrics) => [
    name,
    ...(note ? [other ?? ""] : []),
    ...columns.map(({ kind, of }) => formatMetric(kind, of(metrics))),
  ];
  return {
    title: report.name,
    subtitle: report.companyName,
    issuer: appName,
    createdAt: ctx.clock(),
    facts: [
      { label: "Dates (UTC)", value: formatFlight(period.from, period.to) },
      { label: "Rows", value: count.toLocaleString("en-US") },
    ],
    table: {
      columns: [
        { head: groupingLabels[group], width: note ? 3 : 4 },
        ...(note ? [{ head: note, width: 2.6 }] : []),
        ...columns.map(({ label }) => ({ head: label, width: 1.7, right: true })),
      ],
      rows: rows.map((row) => cells(row.name, row.counterparty, row)),
      totals: cells("Total", null, totals),
    },
    note:
      count > rows.length
        ? `This document has the first ${maxPdfLines} rows. The totals include all of them. Export the view as CSV for every row.`
        : undefined,
  };
}

/** Returns the report's name and dates in letters that every file system and mail program accepts. */
export function reportFileName(ctx: Ctx<TenantActor>, { name, query, format }: ReportSource): string {
  const { from, to } = parseReportQuery(ctx, query).period;
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  return `${plain || "report"}-${from}-${to}.${format}`;
}
