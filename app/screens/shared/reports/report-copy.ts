import type { AnalyticsFilters, Grouping } from "#app/domain/analytics/analytics.ts";
import { groupingLabels } from "#app/domain/analytics/performance-columns.ts";
import type { ReportFormat, ReportTiming } from "#app/domain/reports/report-schedule.ts";

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

/** Formats `By campaign, filtered by channel`. */
export function describeView({ group, filters }: { group: Grouping; filters: AnalyticsFilters }): string {
  const names = Object.keys(filters).map((name) => (name === "category" ? "product category" : name));
  const last = names.pop();
  const list = names.length > 0 ? `${names.join(", ")} and ${last}` : last;
  return `By ${groupingLabels[group].toLowerCase()}${list ? `, filtered by ${list}` : ""}`;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
