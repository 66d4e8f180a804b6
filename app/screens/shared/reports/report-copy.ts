import type { AnalyticsRequest } from "#app/domain/analytics/analytics-search.ts";
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

/** Formats `By campaign and channel, filtered by audience`. */
export function describeView({ group, split, filters }: Pick<AnalyticsRequest, "group" | "split" | "filters">): string {
  const by = [group, ...(split ? [split] : [])].map((one) => groupingLabels[one].toLowerCase());
  const filtered = Object.keys(filters).map((name) => (name === "category" ? "product category" : name));
  return `By ${joinWords(by)}${filtered.length > 0 ? `, filtered by ${joinWords(filtered)}` : ""}`;
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${last}` : last;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
