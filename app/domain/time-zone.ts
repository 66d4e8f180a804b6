/** Times for readers of any language, in the zone that they chose. Pure. */

/** The names of the IANA list, `UTC` first. */
export function timeZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}

export function isTimeZone(zone: string): boolean {
  return timeZones().includes(zone);
}

/** `2026-11-22 09:30 UTC+1`: the order that sorts, the day's 24 hours, and how far from UTC. */
export function formatInZone(at: Date, zone: string): string {
  if (Number.isNaN(at.getTime())) return "an unknown time";
  const minutes = Math.abs(offsetOf(at, zone));
  const sign = offsetOf(at, zone) < 0 ? "-" : "+";
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  const offset = minutes === 0 ? "" : `${sign}${Math.floor(minutes / 60)}${rest}`;
  return `${localOf(at, zone).toISOString().slice(0, 16).replace("T", " ")} UTC${offset}`;
}

/** The latest instant, now or before, at which it was that hour in the zone. Where the clocks jump over it, the one after. */
export function lastAtHour(now: Date, { hour, zone }: { hour: number; zone: string }): Date {
  const day = localOf(now, zone);
  day.setUTCHours(hour, 0, 0, 0);
  for (; ; day.setUTCDate(day.getUTCDate() - 1)) {
    const at = fromLocal(day, zone);
    if (at <= now) return at;
  }
}

/** The zone's wall clock at that instant, as if it were UTC. */
function localOf(at: Date, zone: string): Date {
  return new Date(at.getTime() + offsetOf(at, zone) * 60_000);
}

function fromLocal(local: Date, zone: string): Date {
  const guess = new Date(local.getTime() - offsetOf(local, zone) * 60_000);
  return new Date(local.getTime() - offsetOf(guess, zone) * 60_000);
}

/** Minutes east of UTC at that instant; of a zone that is not known, none. */
function offsetOf(at: Date, zone: string): number {
  const name = offsetNameOf(at, zone);
  const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d{1,2})(?::(\d\d))?$/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function offsetNameOf(at: Date, timeZone: string): string {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" });
    return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  } catch {
    return "GMT";
  }
}
