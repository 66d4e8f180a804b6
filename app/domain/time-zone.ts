/** Times for readers of any language, in the zone that they chose. Pure. */

/** `2026-11-22 09:30 UTC+1`: the order that sorts, the day's 24 hours, and how far from UTC. */
export function formatInZone(at: Date, zone: string): string {
  const { year, month, day, hour, minute } = partsOf(at, zone);
  return `${year}-${month}-${day} ${hour}:${minute} ${offsetOf(at, zone)}`;
}

function partsOf(at: Date, zone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
  };
}

/** `UTC`, `UTC+1`, `UTC-3:30`. */
function offsetOf(at: Date, zone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "shortOffset" });
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return name.replace("GMT", "UTC");
}
