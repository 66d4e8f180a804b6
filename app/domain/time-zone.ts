import { type CalendarDate, calendarDateOf } from "./calendar-date.ts";

/** Times in a chosen time zone, formatted independent of language. Pure. */

/** One name of each zone, `UTC` first. With `stored`, a zone that may have another name there. */
export function timeZones(stored?: string): string[] {
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return stored === undefined || zones.includes(stored) ? zones : [...zones, stored];
}

/**
 * Returns whether this is a name of the IANA list. The runtime lists one name of each zone, an earlier one for some:
 * `Asia/Calcutta` and not `Asia/Kolkata`, which other programs send.
 */
export function isTimeZone(zone: string): boolean {
  const zones = timeZones();
  return zones.includes(zone) || (ianaName.test(zone) && zones.includes(canonicalName(zone)));
}

const ianaName = /^[A-Z][A-Za-z_]*(\/[A-Z][A-Za-z_-]*){1,2}$/;

/** The name that the runtime lists for a zone; empty for an unknown one. */
function canonicalName(zone: string): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return "";
  }
}

/** `2026-11-22 09:30 UTC+1`: a sortable date, a 24-hour time and the offset from UTC. */
export function formatInZone(at: Date, zone: string): string {
  if (Number.isNaN(at.getTime())) return "Unknown time";
  return `${localOf(at, zone).toISOString().slice(0, 16).replace("T", " ")} ${formatOffset(at, zone)}`;
}

/** Formats the zone's offset at the instant: `UTC+1`, `UTC-3:30`, `UTC`. */
export function formatOffset(at: Date, zone: string): string {
  const offset = offsetOf(at, zone);
  const minutes = Math.abs(offset);
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return minutes === 0 ? "UTC" : `UTC${offset < 0 ? "-" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

/**
 * Returns the latest instant, not after `now`, at which the hour began in the zone. When clocks skip the hour, the one
 * after it.
 */
export function lastOccurrenceOfHour(now: Date, { hour, zone }: { hour: number; zone: string }): Date {
  const day = localOf(now, zone);
  day.setUTCHours(hour, 0, 0, 0);
  for (; ; day.setUTCDate(day.getUTCDate() - 1)) {
    const at = fromLocal(day, zone);
    if (at <= now) return at;
  }
}

/** Returns the day of the zone's calendar at the instant. */
export function localDateOf(at: Date, zone: string): CalendarDate {
  return calendarDateOf(localOf(at, zone));
}

const maxOffsetMs = 15 * 3_600_000;

/**
 * Returns the instant at which a local hour begins in the zone. When clocks skip it, the first instant after it; when
 * they show it twice, the first time.
 */
export function instantOfLocalHour({ date, hour }: { date: CalendarDate; hour: number }, zone: string): Date {
  const local = Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000;
  // No zone is further than 15 hours from UTC, so the instant is between these two.
  const [before, after] = [local - maxOffsetMs, local + maxOffsetMs];
  const offsets = [before, after].map((at) => offsetOf(new Date(at), zone));
  const instants = offsets.map((offset) => local - offset * 60_000).sort((one, other) => one - other);
  const shown = instants.find((at) => localOf(new Date(at), zone).getTime() === local);
  if (shown !== undefined) return new Date(shown);
  // The clocks skip it: the change of the offset, to the minute, is the first instant that is later on the wall.
  let [low, high] = [before / 60_000, after / 60_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localOf(new Date(middle * 60_000), zone).getTime() < local) low = middle;
    else high = middle;
  }
  return new Date(high * 60_000);
}

/** Returns the zone's wall clock at the instant, as if it were UTC. */
export function localOf(at: Date, zone: string): Date {
  return new Date(at.getTime() + offsetOf(at, zone) * 60_000);
}

function fromLocal(local: Date, zone: string): Date {
  const guess = new Date(local.getTime() - offsetOf(local, zone) * 60_000);
  return new Date(local.getTime() - offsetOf(guess, zone) * 60_000);
}

/** Returns the zone's offset at the instant in minutes east of UTC; 0 for an unknown zone. */
function offsetOf(at: Date, zone: string): number {
  if (zone === "UTC") return 0;
  const name = offsetNameOf(at, zone);
  const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d{1,2})(?::(\d\d))?$/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Creating a format takes a hundred times as long as using one. */
const formats = new Map<string, Intl.DateTimeFormat>();

function offsetNameOf(at: Date, timeZone: string): string {
  try {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" });
    formats.set(timeZone, format);
    return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  } catch {
    return "GMT";
  }
}
