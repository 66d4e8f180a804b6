import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { isPeriodIncomplete, reportRanges, resolveReportPeriod } from "#app/domain/reports/report-period.ts";
import {
  countDueMoments,
  dueDateOf,
  lastDueUntil,
  nextDueAfter,
  type ReportTiming,
  weekdays,
} from "#app/domain/reports/report-schedule.ts";
import { instantOfLocalHour, localDateOf, timeZones } from "#app/domain/time-zone.ts";

const usual: ReportTiming = { frequency: "daily", weekday: "monday", dayOfMonth: 1, hour: 8, timeZone: "UTC" };
const day = (text: string) => text as CalendarDate;
const minute = 60_000;

/** The wall clock of a zone as sortable text, from Intl's own fields. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function wallClock(at: Date | number, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" });
  clocks.set(timeZone, clock);
  return clock.format(at);
}

const oddZones = ["Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo", "Africa/Casablanca", "America/St_Johns"];
const zone = fc.oneof(
  fc.constantFrom(...oddZones, "Pacific/Kiritimati", "Asia/Kathmandu", "Europe/Berlin", "America/Havana"),
  fc.constantFrom(...timeZones()),
);
const date = fc.integer({ min: 0, max: 10_500 }).map((days) => addDays(day("2011-01-01"), days));
const hour = fc.integer({ min: 0, max: 23 });
const timing: fc.Arbitrary<ReportTiming> = fc.record({
  frequency: fc.constantFrom("daily", "weekly", "monthly"),
  weekday: fc.constantFrom(...weekdays),
  dayOfMonth: fc.integer({ min: 1, max: 31 }),
  hour,
  timeZone: zone,
});
const instant = fc
  .integer({ min: Date.parse("2011-01-01T00:00:00Z") / minute, max: Date.parse("2039-12-31T00:00:00Z") / minute })
  .map((at) => new Date(at * minute));

describe("a local hour", () => {
  test("begins at the first instant at which the wall clock shows it, or else a later time", () => {
    fc.assert(
      fc.property(zone, date, hour, (timeZone, onDay, atHour) => {
        const wanted = `${onDay} ${String(atHour).padStart(2, "0")}:00`;
        const at = instantOfLocalHour({ date: onDay, hour: atHour }, timeZone).getTime();
        expect(wallClock(at, timeZone) >= wanted).toBe(true);
        expect(wallClock(at - minute, timeZone) < wanted).toBe(true);
        // Clocks go back by at most three hours: the time is not shown before.
        for (let before = 30; before <= 180; before += 30) {
          expect(wallClock(at - before * minute, timeZone)).not.toBe(wanted);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test.each([
    // Forward by an hour, at two and at midnight, and by half an hour.
    ["Europe/Berlin", "2026-03-29", 2, "2026-03-29T01:00:00Z"],
    ["Africa/Cairo", "2026-04-24", 0, "2026-04-23T22:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-04", 2, "2026-10-03T15:30:00Z"],
    // Back: the first of two, and in Lord Howe the half hour before two.
    ["Europe/Berlin", "2026-10-25", 2, "2026-10-25T00:00:00Z"],
    ["Australia/Lord_Howe", "2026-04-05", 2, "2026-04-04T15:30:00Z"],
    ["America/New_York", "2026-11-01", 1, "2026-11-01T05:00:00Z"],
    // Apia went from the 29th to the 31st.
    ["Pacific/Apia", "2011-12-30", 9, "2011-12-30T10:00:00Z"],
    ["Pacific/Apia", "2011-12-31", 9, "2011-12-30T19:00:00Z"],
  ])("in %s, on %s at %i, is %s", (timeZone, onDay, atHour, at) => {
    expect(instantOfLocalHour({ date: day(onDay), hour: atHour }, timeZone)).toEqual(new Date(at));
  });
});

describe("a schedule", () => {
  test("has one order of due moments, whichever way they are found", () => {
    fc.assert(
      fc.property(timing, instant, (of, at) => {
        const next = nextDueAfter(of, at);
        expect(next > at).toBe(true);
        expect(lastDueUntil(of, next)).toEqual(next);
        const last = lastDueUntil(of, at);
        expect(last <= at).toBe(true);
        expect(nextDueAfter(of, last)).toEqual(next);
        expect(nextDueAfter(of, new Date(next.getTime() - 1))).toEqual(next);
        expect(countDueMoments(of, { from: last, to: next })).toBe(1);
      }),
      { numRuns: 400 },
    );
  });

  test("is due once on every day of a year, in every zone", () => {
    fc.assert(
      fc.property(zone, hour, fc.integer({ min: 2012, max: 2036 }), (timeZone, atHour, year) => {
        const of = { ...usual, timeZone, hour: atHour };
        const days: string[] = [];
        for (let at = new Date(`${year}-01-03T00:00:00Z`); at.getTime() < Date.parse(`${year}-12-29T00:00:00Z`); ) {
          at = nextDueAfter(of, at);
          days.push(wallClock(at, timeZone).slice(0, 10));
        }
        const [first = ""] = days;
        expect(days).toEqual(days.map((_, index) => addDays(day(first), index)));
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    ["2026-01-31T09:00:00Z", "2026-02-28T08:00:00Z"],
    ["2028-01-31T09:00:00Z", "2028-02-29T08:00:00Z"],
    ["2026-02-28T08:00:00Z", "2026-03-31T08:00:00Z"],
    ["2026-04-01T00:00:00Z", "2026-04-30T08:00:00Z"],
  ])("on the 31st is due on the last day of a shorter month: after %s at %s", (after, at) => {
    expect(nextDueAfter({ ...usual, frequency: "monthly", dayOfMonth: 31 }, new Date(after))).toEqual(new Date(at));
  });

  test("of each week is due on its day in the zone, not in UTC", () => {
    const of = { ...usual, frequency: "weekly", hour: 7, timeZone: "Pacific/Auckland" } as const;
    expect(nextDueAfter(of, new Date("2026-11-20T00:00:00Z"))).toEqual(new Date("2026-11-22T18:00:00Z"));
  });

  test("counts the moments missed during an outage of three days", () => {
    const [from, to] = [new Date("2026-11-20T08:00:00Z"), new Date("2026-11-23T08:00:00Z")];
    expect(countDueMoments(usual, { from, to })).toBe(3);
    expect(lastDueUntil(usual, new Date("2026-11-23T10:00:00Z"))).toEqual(to);
  });
});

describe("the days of a report", () => {
  const at = new Date("2026-11-23T07:00:00Z");
  test.each([
    ["yesterday", "2026-11-22", "2026-11-22"],
    ["last_7_days", "2026-11-16", "2026-11-22"],
    ["last_30_days", "2026-10-24", "2026-11-22"],
    ["last_90_days", "2026-08-25", "2026-11-22"],
    ["last_week", "2026-11-16", "2026-11-22"],
    ["month_to_date", "2026-11-01", "2026-11-22"],
    ["last_month", "2026-10-01", "2026-10-31"],
  ] as const)("are, for %s, %s to %s", (range, from, to) => {
    expect(resolveReportPeriod(range, localDateOf(at, "Europe/Berlin"))).toEqual({ from, to });
  });

  test("are those of the zone's calendar, and say when the last is not over in UTC", () => {
    const early = new Date("2026-11-22T21:00:00Z");
    const inTokyo = resolveReportPeriod("last_week", localDateOf(early, "Asia/Tokyo"));
    expect(inTokyo).toEqual({ from: "2026-11-16", to: "2026-11-22" });
    expect(isPeriodIncomplete(inTokyo, early)).toBe(true);
    expect(isPeriodIncomplete(inTokyo, at)).toBe(false);
  });

  test("of the month to date, on the 1st, are the month before, with its leap day", () => {
    const first = new Date("2028-03-01T08:00:00Z");
    const february = { from: "2028-02-01", to: "2028-02-29" };
    expect(resolveReportPeriod("month_to_date", localDateOf(first, "UTC"))).toEqual(february);
    expect(resolveReportPeriod("last_month", localDateOf(first, "UTC"))).toEqual(february);
  });

  test("are each day once where clocks skip the hour at the end of a day", () => {
    const nuuk: ReportTiming = { ...usual, hour: 23, timeZone: "America/Nuuk" };
    const days: string[] = [];
    for (let due = new Date("2027-03-26T12:00:00Z"); days.length < 4; ) {
      due = nextDueAfter(nuuk, due);
      days.push(resolveReportPeriod("yesterday", dueDateOf(nuuk, due)).to);
    }
    // The clocks go from 23:00 of March 27 to midnight of March 28, when the report of March 27 is due.
    expect(nextDueAfter(nuuk, new Date("2027-03-27T12:00:00Z"))).toEqual(new Date("2027-03-28T01:00:00Z"));
    expect(days).toEqual(["2027-03-25", "2027-03-26", "2027-03-27", "2027-03-28"]);
  });

  test("of any schedule end on the day before the one on which it is due", () => {
    fc.assert(
      fc.property(zone, instant, fc.integer({ min: 0, max: 23 }), (timeZone, after, hour) => {
        const timing: ReportTiming = { ...usual, hour, timeZone };
        const first = nextDueAfter(timing, after);
        const second = nextDueAfter(timing, first);
        const [one, other] = [dueDateOf(timing, first), dueDateOf(timing, second)];
        expect(instantOfLocalHour({ date: one, hour }, timeZone)).toEqual(first);
        expect(addDays(one, 1) === other || addDays(one, 2) === other).toBe(true);
      }),
    );
  });

  test("are in order and never after today", () => {
    fc.assert(
      fc.property(fc.constantFrom(...reportRanges), zone, instant, (range, timeZone, due) => {
        const { from, to } = resolveReportPeriod(range, localDateOf(due, timeZone));
        expect(from <= to && to <= calendarDateOf(due)).toBe(true);
      }),
    );
  });
});
