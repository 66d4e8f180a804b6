import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { keyMetrics } from "#app/domain/analytics/performance-columns.ts";
import { daysInclusive } from "#app/domain/calendar-date.ts";
import type { Ctx, ReadCtx, TenantActor, VisitorCtx } from "#app/domain/context.ts";
import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { findReportMail } from "#app/domain/reports/find-report-mail.server.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import { inStaleSnapshot } from "#app/domain/stale-reads.server.ts";
import { formatMetric } from "#app/ui/chart/metric-format.ts";
import { computeTrend, formatTrend } from "#app/ui/trend.ts";
import { FileTooLargeError } from "#app/web/exports/performance-export.server.ts";
import { prepareReportFile, type ReportFile, type ReportSource } from "#app/web/exports/report-file.server.ts";

/** Mail servers commonly accept ten megabytes, and an attachment is encoded with a third more. */
const maxAttachmentBytes = 5_000_000;

/** In milliseconds: nobody waits at a screen, and a page's limit of facts does not apply. */
const readTimeoutMs = 60_000;

/** What a report's email has beyond its text. Without a file, the file is too large: `filePath` leads to it. */
export type ReportParts = {
  figures: { label: string; value: string; note?: string | undefined }[];
  file: ReportFile | undefined;
  filePath: `/${string}`;
};

/**
 * Reads the figures of a report's email and creates its file, from one snapshot. Undefined when nothing is to be sent:
 * the report was deleted, or the person is no longer a recipient. The caller destroys the file's content.
 */
export async function createReportParts(
  ctx: VisitorCtx,
  mail: Pick<ListedMail, "subjectId" | "userId">,
  { withFile = true, maxBytes = maxAttachmentBytes }: { withFile?: boolean; maxBytes?: number } = {},
): Promise<ReportParts | undefined> {
  const report = await findReportMail(ctx, mail);
  if (!report) return undefined;
  const base = report.mode === "test" ? "/test-mode" : "";
  const filePath = `${base}/reports/${report.reportId}/sendings/${report.id}` as const;
  const tenant: Ctx<TenantActor> = { ...ctx, actor: { kind: report.accountType, accountId: report.accountId } };
  const { figures, makeFile } = await inStaleSnapshot(
    tenant,
    async (reading) => {
      const { period, filters } = parseReportQuery(reading, report.query);
      const { totals, previous } = await compareTotals(reading, { period, filters });
      return {
        figures: keyMetrics[reading.actor.kind].map(({ label, kind, of }) => ({
          label,
          value: formatMetric(kind, of(totals)),
          note: describeChange(of, { totals, previous, days: daysInclusive(period.from, period.to) }),
        })),
        makeFile: withFile ? await prepareSmallFile(reading, report, maxBytes) : undefined,
      };
    },
    { timeoutMs: readTimeoutMs },
  );
  return { figures, file: await makeFile?.(), filePath };
}

type Compared = { totals: DeliveryMetrics; previous: DeliveryMetrics; days: number };

/** Describes the change from the period before, which is equally long: `Up 4.2% from the 7 days before`. */
function describeChange(
  of: (metrics: DeliveryMetrics) => number | null,
  { totals, previous, days }: Compared,
): string | undefined {
  const trend = computeTrend(of(totals), of(previous));
  if (!trend) return undefined;
  const before = days === 1 ? "the day before" : `the ${days} days before`;
  if (trend.direction === "same") return `Same as ${before}`;
  return `${trend.direction === "up" ? "Up" : "Down"} ${formatTrend(trend)} from ${before}`;
}

async function prepareSmallFile(ctx: ReadCtx<TenantActor>, report: ReportSource, maxBytes: number) {
  try {
    return await prepareReportFile(ctx, report, { maxBytes });
  } catch (error) {
    if (error instanceof FileTooLargeError) return undefined;
    throw error;
  }
}
