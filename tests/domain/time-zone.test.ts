import { expect, test } from "vitest";
import { formatInZone, isTimeZone, lastOccurrenceOfHour, timeZones } from "#app/domain/time-zone.ts";
import { formatDateTime, formatRelativeTime } from "#app/ui/format.ts";

const at = new Date("2026-11-22T08:30:00Z");

test.each([
  ["UTC", "2026-11-22 08:30 UTC"],
  ["Europe/Berlin", "2026-11-22 09:30 UTC+1"],
  ["America/St_Johns", "2026-11-22 05:00 UTC-3:30"],
  ["Asia/Kathmandu", "2026-11-22 14:15 UTC+5:45"],
  ["Pacific/Kiritimati", "2026-11-22 22:30 UTC+14"],
  ["Pacific/Pago_Pago", "2026-11-21 21:30 UTC-11"],
  ["Nowhere/Land", "2026-11-22 08:30 UTC"],
])("a time in %s is shown as %s", (zone, formatted) => {
  expect(formatInZone(at, zone)).toBe(formatted);
});

test.each([
  ["UTC", "Nov 22, 2026, 8:30 AM UTC", "Nov 22, 2026"],
  ["America/St_Johns", "Nov 22, 2026, 5:00 AM UTC-3:30", "Nov 22, 2026"],
  ["Pacific/Pago_Pago", "Nov 21, 2026, 9:30 PM UTC-11", "Nov 21, 2026"],
  ["Nowhere/Land", "Nov 22, 2026, 8:30 AM UTC", "Nov 22, 2026"],
])("on screens, a time in %s is shown as %s, and later as %s", (zone, formatted, day) => {
  expect(formatDateTime(at, zone)).toBe(formatted);
  expect(formatRelativeTime(at, new Date("2026-11-30T00:00:00Z"), zone)).toBe(day);
});

test.each([
  ["UTC", "2026-11-22T08:30:00Z", "2026-11-22T08:00:00Z"],
  ["UTC", "2026-11-22T08:00:00Z", "2026-11-22T08:00:00Z"],
  ["UTC", "2026-11-22T07:59:59Z", "2026-11-21T08:00:00Z"],
  ["Pacific/Kiritimati", "2026-11-21T18:00:00Z", "2026-11-21T18:00:00Z"],
  ["America/Los_Angeles", "2026-11-22T15:59:59Z", "2026-11-21T16:00:00Z"],
  // The night in which the clocks of Berlin go back, and that in which they go forward.
  ["Europe/Berlin", "2026-10-25T07:00:00Z", "2026-10-25T07:00:00Z"],
  ["Europe/Berlin", "2026-10-25T06:59:00Z", "2026-10-24T06:00:00Z"],
  ["Europe/Berlin", "2026-03-29T06:00:00Z", "2026-03-29T06:00:00Z"],
  ["Europe/Berlin", "2026-03-29T05:59:00Z", "2026-03-28T07:00:00Z"],
])("in %s, at %s, the last eight o'clock was at %s", (zone, now, last) => {
  expect(lastOccurrenceOfHour(new Date(now), { hour: 8, zone })).toEqual(new Date(last));
});

test("the hour skipped by daylight saving time is the one after", () => {
  const now = new Date("2026-03-29T12:00:00Z");
  expect(lastOccurrenceOfHour(now, { hour: 2, zone: "Europe/Berlin" })).toEqual(new Date("2026-03-29T01:00:00Z"));
});

test("a zone is accepted by each of its names, whichever of them is listed, and a stored one is listed", () => {
  const names = ["Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "Europe/Kiev", "America/Argentina/Buenos_Aires"];
  expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
  for (const name of names) expect(timeZones(name).filter((zone) => zone === name)).toEqual([name]);
  expect(["asia/kolkata", "Europe/Kyiv ", "Europe/Nowhere", "+05:30", "Etc/GMT-5"].filter(isTimeZone)).toEqual([]);
});

test("the list has UTC, accepts its own names and no others", () => {
  expect(timeZones()[0]).toBe("UTC");
  expect(new Set(timeZones()).size).toBe(timeZones().length);
  expect(timeZones().every((zone) => /^[A-Za-z0-9_+/-]{1,64}$/.test(zone))).toBe(true);
  expect(["UTC", "Europe/Berlin", "utc", "Nowhere/Land", ""].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
