/** Figures in words and digits, en-US. Money and dates have theirs in the domain (`money.ts`, `calendar-date.ts`). */
const counts = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

/** `1,284,310` */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** `2.61M`; whole below ten thousand. */
export function formatCompact(value: number): string {
  return value < 10_000 ? counts.format(value) : compact.format(value);
}

/** `1.20%`, two decimals. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(2)}%`;
}

/** `3.4×`, or a dash where there is nothing to divide. */
export function formatTimes(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)}×`;
}

/** `3 campaigns`, `1 campaign`. */
export function formatNumberOf(count: number, one: string, many = `${one}s`): string {
  return `${counts.format(count)} ${count === 1 ? one : many}`;
}

/** `31.5 MB`, `12 KB`: as a file's size is shown where it is chosen. */
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

/** `Nov 21, 2026, 5:07 AM UTC` */
export function formatInstant(at: Date): string {
  return `${dateTime.format(at)} UTC`;
}

/** `12 minutes ago`, `Yesterday`, else the date. `now` is the server's, so that both renders say the same. */
export function formatAgo(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "Just now";
  if (minutes < 60) return `${formatNumberOf(minutes, "minute")} ago`;
  if (minutes < 24 * 60) return `${formatNumberOf(Math.floor(minutes / 60), "hour")} ago`;
  if (minutes < 48 * 60) return "Yesterday";
  return dateTime.format(at).replace(/, \d+:.*$/, "");
}
