import type { AnalyticsRequest } from "#app/domain/analytics/analytics-search.ts";
import { describeFilters } from "#app/domain/analytics/describe-filters.ts";
import { groupingLabels } from "#app/domain/analytics/performance-columns.ts";
import { joinWords } from "#app/domain/join-words.ts";
import type { ReportFormat, ReportTiming } from "#app/domain/reports/report-schedule.ts";
import { upperFirst } from "#app/domain/upper-first.ts";

export const reportFormatLabels: Record<ReportFormat, string> = { csv: "CSV", pdf: "PDF" };

/** Formats `8:00 AM`. */
export function formatHour(hour: number): string {
  return `${hour % 12 || 12}:00 ${hour < 12 ? "AM" : "PM"}`;
}

export function formatZone(zone: string): string {
  return zone.replaceAll("_", " ");
}

/** Formats `Every Monday at 8:00 AM`. */
export function describeTiming({ frequency, weekday, dayOfMonth, hour }: ReportTiming): string {
  const at = `at ${formatHour(hour)}`;
  if (frequency === "daily") return `Every day ${at}`;
  if (frequency === "weekly") return `Every ${upperFirst(weekday)} ${at}`;
  return dayOfMonth > 28
    ? `Day ${dayOfMonth} of each month, or its last, ${at}`
    : `Day ${dayOfMonth} of each month ${at}`;
}

/** Formats `By campaign and channel, filtered by audience`. */
export function describeView({ group, split, filters }: Pick<AnalyticsRequest, "group" | "split" | "filters">): string {
  const by = [group, ...(split ? [split] : [])].map((one) => groupingLabels[one].toLowerCase());
  const filtered = describeFilters(filters);
  return `By ${joinWords(by)}${filtered && `, filtered by ${filtered}`}`;
}
