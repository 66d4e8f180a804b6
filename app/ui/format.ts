import { formatOffset, localOf } from "#app/domain/time-zone.ts";

/** Number formats, en-US. Money and dates are formatted in the domain (`money.ts`, `calendar-date.ts`). */
const counts = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

/** Formats `1,284,310`. */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** Formats `2.61M`; whole numbers below ten thousand. */
export function formatCompact(value: number): string {
  return value < 10_000 ? counts.format(value) : compact.format(value);
}

/** Formats `1.20%`, two decimals. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(2)}%`;
}

/** Formats a rate in percent of `base`, such as CTR of impressions; a dash when there is nothing to divide by. */
export function formatRate(percent: number, base: number): string {
  return base === 0 ? "–" : formatPercent(percent);
}

/** Formats `3.4×`, or a dash if there is no ratio. */
export function formatRatio(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)}×`;
}

/** Formats `3 campaigns`, `1 campaign`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${counts.format(count)} ${count === 1 ? one : many}`;
}

/** Formats a file size: `31.5 MB`, `12 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

const dateTime = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZone: "UTC",
});

/** Formats `Nov 21, 2026, 5:07 AM UTC`, in a time zone such as `Nov 21, 2026, 6:07 AM UTC+1`. */
export function formatDateTime(at: Date, zone = "UTC"): string {
  return `${dateTime.format(localOf(at, zone))} ${formatOffset(at, zone)}`;
}

/** Formats `14:03:22 UTC`. */
export function formatUtcTime(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`;
}

/**
 * Formats `12 minutes ago`, `Yesterday`, or the date in the time zone. `now` is the server's time, so that server and
 * browser render the same text.
 */
export function formatRelativeTime(at: Date, now: Date, zone = "UTC"): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "Just now";
  if (minutes < 60) return `${pluralize(minutes, "minute")} ago`;
  if (minutes < 24 * 60) return `${pluralize(Math.floor(minutes / 60), "hour")} ago`;
  if (minutes < 48 * 60) return "Yesterday";
  return dateTime.format(localOf(at, zone)).replace(/, \d+:.*$/, "");
}

/** Returns the first letters of the first two words of a name: `FC` of `Fresh & Co`. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = "", second = ""] = words.map((word) => [...word][0]);
  return (first + second).toUpperCase();
}
