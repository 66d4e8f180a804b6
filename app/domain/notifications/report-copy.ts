import { describeFilters } from "../analytics/describe-filters.ts";
import { formatFlight, parseCalendarDate } from "../calendar-date.ts";
import { parseReportSearch } from "../reports/report-query.ts";
import type { NotificationCopy, NotificationFacts } from "./notification.ts";

/** Describes a report that is ready. Its figures are read when its email is sent. Pure. */
export function describeReport(facts: NotificationFacts): NotificationCopy {
  const { report = "A report", reportId, query = "", firstDay, lastDay, isIncomplete, isTestMode } = facts;
  const base = isTestMode ? "/test-mode" : "";
  const [from, to] = [parseCalendarDate(firstDay ?? ""), parseCalendarDate(lastDay ?? "")];
  const filtered = describeFilters(parseReportSearch(query));
  const days = from && to ? formatFlight(from, to) : "The dates are in the report";
  return {
    title: `“${report}” is ready`,
    lines: [
      `${days}. Days are in UTC.`,
      ...(filtered ? [`Filtered by ${filtered}: the figures leave out the rest of your delivery.`] : []),
      ...(isIncomplete ? ["The last day was not over when the report was due, so its results may still grow."] : []),
    ],
    action: "View in analytics",
    path: query ? `${base}/analytics?${query}` : `${base}/analytics`,
    more: { action: "Change or stop this report", path: reportId ? `${base}/reports/${reportId}` : `${base}/reports` },
  };
}
