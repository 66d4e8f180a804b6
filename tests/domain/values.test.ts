import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { roundedSize } from "#app/domain/audiences/audience.ts";
import {
  addDays,
  calendarDateOf,
  calendarDateSchema,
  daysInclusive,
  formatDate,
  formatFlight,
  parseCalendarDate,
} from "#app/domain/calendar-date.ts";
import { commissionEarned, ctrPercent, roas } from "#app/domain/campaigns/metrics.ts";
import { parseId } from "#app/domain/ids.ts";
import {
  asCents,
  centsToDollars,
  dollarsPattern,
  dollarsSchema,
  formatCents,
  formatCentsShort,
  formatSignedCents,
  microsToCents,
  parseDollars,
  parseMicros,
  shareOf,
} from "#app/domain/money.ts";
import { bpsToPercent, commissionRateSchema } from "#app/domain/rate.ts";
import { findErrors } from "#app/ui/form/field-checks.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";

const amount = fc.integer({ min: 0, max: 100_000_000_000 });

describe("money", () => {
  test("an amount survives a round trip through JSON, to the cent", () => {
    fc.assert(
      fc.property(amount, (value) => {
        const cents = asCents(value);
        expect(parseDollars(centsToDollars(cents))).toBe(value);
        expect(parseDollars(formatCents(cents))).toBe(value);
        expect(parseDollars(formatCentsShort(cents))).toBe(value);
      }),
    );
  });

  test("a negative amount has a minus sign, and zero no sign", () => {
    expect(formatCents(asCents(-123456))).toBe("−$1,234.56");
    expect(formatCentsShort(asCents(-120000))).toBe("−$1,200");
    expect([-5, 0, 5].map((value) => formatSignedCents(asCents(value)))).toEqual(["−$0.05", "$0.00", "+$0.05"]);
  });

  test("an amount below one may begin with its decimal point", () => {
    expect([".5", ".50", "$.99", "-.05"].map(parseDollars)).toEqual([50, 50, 99, -5]);
    expect([".5", "-.000001", ".1234567", "."].map(parseMicros)).toEqual([500_000, -1, undefined, undefined]);
    const accepts = (text: string) => dollarsPattern.test(text);
    expect([".5", ".50", "$.99", ".", "1.", ".505"].map(accepts)).toEqual([true, true, true, false, false, false]);
  });

  test.each([
    "1e400",
    "1e3",
    ".",
    "$",
    "-",
    "1.",
    "0x10",
    "12.345",
    "1,23",
    "12,",
    "--1",
    "NaN",
    "Infinity",
    "",
    " ",
    "1 000",
    "9007199254740993",
    "1000000000.01",
    "٣",
  ])("%j is rejected, not changed", (text) => expect(parseDollars(text)).toBeUndefined());

  test.each([
    ["5000000000", "Enter $1,000,000,000 or less"],
    ["$ 5,000,000,000,000.5", "Enter $1,000,000,000 or less"],
    [99_999_999_999_999, "Enter $1,000,000,000 or less"],
    ["1000000000.01", "Enter $1,000,000,000 or less"],
    ["-5000000000", "Enter 0 or more"],
    ["5000000000.001", "Enter an amount with at most two decimals, such as 12.50"],
    ["12.505", "Enter an amount with at most two decimals, such as 12.50"],
    ["twelve", "Enter an amount in US dollars, such as 1200 or 1200.50"],
  ])("says what is wrong with the amount %j, as the browser does", (value, message) => {
    const schema = dollarsSchema();
    expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
    const form = new FormData();
    form.set("amount", String(value));
    expect(findErrors(form, checksOf(z.object({ amount: schema })))).toEqual({ amount: [message] });
  });

  test("1e400 in JSON is Infinity, and 0.1 + 0.2 is not an amount", () => {
    expect(parseDollars(Number.POSITIVE_INFINITY)).toBeUndefined();
    expect(parseDollars(0.1 + 0.2)).toBeUndefined();
    expect(parseDollars(2 ** 53 + 2)).toBeUndefined();
  });

  test("a split adds up to the cent, whatever the rate", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 8_000 }), (value, bps) => {
        const share = shareOf(asCents(value), bps);
        const exact = (BigInt(value) * BigInt(bps)) / 10_000n;
        expect(BigInt(share)).toBe(exact);
        expect(share).toBeLessThanOrEqual(value * 0.8 + 1);
      }),
    );
  });

  test("a fraction of a cent is not money yet", () => {
    expect(microsToCents(9_999n)).toBe(0);
    expect(microsToCents(10_000n)).toBe(1);
  });

  test("a year of one cent a day at 70 percent earns 255 cents, not 365", () => {
    expect(commissionEarned(365n * 10_000n, 7_000)).toBe(255);
  });
});

describe("days", () => {
  const day = fc
    .date({ min: new Date("2000-01-01"), max: new Date("2199-12-31"), noInvalidDate: true })
    .map(calendarDateOf);

  test("adding and subtracting days are inverse, over leap days and daylight saving time", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 2_000 }), (from, days) => {
        const to = addDays(from, days);
        expect(addDays(to, -days)).toBe(from);
        expect(daysInclusive(from, to)).toBe(days + 1);
      }),
    );
  });

  test.each([
    "2026-02-30",
    "2027-02-29",
    "infinity",
    "26-01-01",
    "2026-1-1",
    "2026-13-01",
    "1999-12-31",
    "2200-01-01",
    "2026-01-01T00:00:00Z",
    "",
  ])("%j is not a day", (text) => expect(parseCalendarDate(text)).toBeUndefined());

  test.each([
    ["0026-11-30", "Enter a year from 2000 to 2199"],
    ["9999-12-31", "Enter a year from 2000 to 2199"],
    ["20266-11-30", "Enter a year from 2000 to 2199"],
    ["2026-02-30", "This day does not exist. Enter another date."],
    ["11/30/2026", "Enter a date as YYYY-MM-DD"],
  ])("says what is wrong with the date %j", (text, message) => {
    expect(calendarDateSchema.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test("29 February exists every four years", () => {
    expect(parseCalendarDate("2028-02-29")).toBe("2028-02-29");
  });

  test("a date reads as `Intl` writes it, on every day that can be entered", () => {
    const written = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
    const differing: string[] = [];
    for (let day = Date.UTC(2000, 0, 1); day < Date.UTC(2200, 0, 1); day += 86_400_000) {
      const instant = new Date(day);
      const expected = written.format(instant);
      if (formatDate(instant) !== expected || formatDate(calendarDateOf(instant)) !== expected)
        differing.push(expected);
    }
    expect(differing).toEqual([]);
  });

  test("a date reads as short month, day, year", () => {
    expect(formatDate(calendarDateOf(new Date("2026-11-27T23:59:00Z")))).toBe("Nov 27, 2026");
    const [from, to] = [parseCalendarDate("2026-11-27") ?? null, parseCalendarDate("2027-01-02") ?? null];
    expect(formatFlight(from, to)).toBe("Nov 27, 2026 – Jan 2, 2027");
    expect(formatFlight(null, null)).toBe("Not set");
  });
});

describe("rates and figures", () => {
  test("a rate survives a round trip through JSON", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8_000 }), (bps) => {
        expect(commissionRateSchema.parse(bpsToPercent(bps))).toBe(bps);
      }),
    );
  });

  test.each([80.01, -1, "", "abc", "7 0", "1e1", Number.NaN])("%j is not a rate", (value) => {
    expect(commissionRateSchema.safeParse(value).success).toBe(false);
  });

  test.each([
    [33.333, "Enter a percentage with at most two decimals, such as 33.33"],
    ["80.001", "Enter a percentage with at most two decimals, such as 33.33"],
    [80.01, "Enter a percentage between 0 and 80"],
    ["a third", "Enter a percentage between 0 and 80"],
  ])("says what is wrong with %j", (value, message) => {
    expect(commissionRateSchema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test("zero denominators have one defined result", () => {
    expect(ctrPercent({ clicks: 0, impressions: 0 })).toBe(0);
    expect(roas({ spendMicros: 0n, revenueMicros: 5n })).toBeNull();
    expect(roas({ spendMicros: 2_000_000n, revenueMicros: 5_000_000n })).toBe(2.5);
  });

  test.each([
    [999, 0],
    [1_000, 1_000],
    [2_499, 1_000],
    [2_500, 2_500],
    [4_999, 2_500],
    [9_999, 5_000],
    [84_312, 50_000],
    [250_000, 250_000],
    [1_000_000, 1_000_000],
  ])("of %d people an advertiser sees %d", (people, shown) => expect(roundedSize(people)).toBe(shown));

  test("a size is never rounded up, and never below two fifths of itself", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 1_000_000_000 }), (people) => {
        expect(roundedSize(people)).toBeLessThanOrEqual(people);
        expect(roundedSize(people)).toBeGreaterThanOrEqual(people * 0.4);
      }),
    );
  });

  test("an id that is not a UUID does not exist", () => {
    expect(parseId("01900000-0000-7000-8000-A00000000001")).toBe("01900000-0000-7000-8000-a00000000001");
    for (const text of ["", "1", "not-an-id", "01900000-0000-7000-8000-a0000000000", undefined]) {
      expect(parseId(text)).toBeUndefined();
    }
  });
});
