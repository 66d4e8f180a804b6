import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type CalendarDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { adFormats, channels, geolocations, objectives, pacings } from "#app/domain/campaigns/campaign.ts";
import {
  type SandboxCampaign,
  type SandboxRun,
  simulateSandboxDay,
} from "#app/domain/delivery/channels/sandbox/sandbox-day.ts";
import { hourShares } from "#app/domain/delivery/channels/sandbox/sandbox-rates.ts";
import { type CreativeId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";

const day = date("2026-11-20");
const midnight = Date.parse("2026-11-20T00:00:00Z");
const hour = 3_600_000;
const wholeDay = midnight + 24 * hour;

function date(text: string): CalendarDate {
  const read = parseCalendarDate(text);
  if (!read) throw new Error("no day");
  return read;
}

function bounds(total: number, daily: number) {
  return {
    startDate: date("2026-11-11"),
    endDate: date("2026-11-30"),
    totalBudgetCents: asCents(total),
    dailyBudgetCents: asCents(daily),
  };
}

const place = fc.record({
  audienceId: fc.uuid().map(() => newId<SandboxRun["placements"][number]["audienceId"]>()),
  channel: fc.constantFrom(...channels),
  segment: fc.constantFrom("high-value" as const, "lapsed-customers" as const),
  adFormat: fc.constantFrom(...adFormats),
  objective: fc.constantFrom(...objectives),
  size: fc.integer({ min: 1_000, max: 300_000 }),
  cpmCents: fc.integer({ min: 1, max: 5_000 }),
});
const run = fc
  .record({
    lineItemId: fc.uuid().map(() => newId<SandboxRun["lineItemId"]>()),
    from: fc.integer({ min: -40, max: 30 }).map((hours) => midnight + hours * hour),
    length: fc.integer({ min: 1, max: 80 }),
    placements: fc.array(place, { minLength: 1, maxLength: 4 }),
    cap: fc.record({
      impressions: fc.integer({ min: 1, max: 10 }),
      period: fc.constantFrom("hour" as const, "day" as const, "week" as const),
    }),
    geolocations: fc.subarray([...geolocations]),
    creativeIds: fc.array(fc.uuid(), { maxLength: 4 }).map((all) => all.map(() => newId<CreativeId>())),
    total: fc.integer({ min: 1_000, max: 500_000 }),
    part: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ length, total, part, ...more }): SandboxRun => {
    const both = bounds(total, Math.max(1, Math.floor((total * part) / 100)));
    return { ...more, to: more.from + length * hour, bounds: both, sentBounds: both };
  });
const campaign = fc.record({
  id: fc.uuid().map(() => newId<SandboxCampaign["id"]>()),
  seed: fc.string(),
  pacing: fc.constantFrom(...pacings),
  spentMicros: fc.integer({ min: 0, max: 2_000_000_000 }),
  runs: fc.array(run, { minLength: 1, maxLength: 3 }),
});

test("never exceeds a day's budget nor the frequency cap, the total by less than one impression, and clicks are within impressions", () => {
  fc.assert(
    fc.property(campaign, (one) => {
      const rows = simulateSandboxDay(one, { day, until: wholeDay });
      const spent = rows.reduce((sum, row) => sum + row.spendMicros, 0);
      const maxCpmMicros = Math.max(...one.runs.flatMap((part) => part.placements.map((at) => at.cpmCents * 10)));
      const maxSpend = (of: "dailyBudgetCents" | "totalBudgetCents") =>
        Math.max(...one.runs.map((part) => part.bounds[of] ?? 0)) * 10_000;
      expect(spent).toBeLessThanOrEqual(maxSpend("dailyBudgetCents"));
      expect(spent).toBeLessThan(Math.max(0, maxSpend("totalBudgetCents") - one.spentMicros) + maxCpmMicros);
      for (const row of rows) {
        expect(row.clicks).toBeLessThanOrEqual(row.impressions);
        expect(row.conversions).toBeLessThanOrEqual(row.clicks);
        const holds = one.runs.flatMap((part) =>
          part.placements
            .filter((at) => at.audienceId === row.audienceId)
            .map((at) => at.size * part.cap.impressions * (part.cap.period === "hour" ? 24 : 1)),
        );
        expect(row.impressions).toBeLessThanOrEqual(Math.max(...holds));
        const maxFrequency = Math.max(...one.runs.map(({ cap }) => cap.impressions * (cap.period === "hour" ? 24 : 1)));
        expect(row.reach).toBeLessThanOrEqual(row.impressions);
        expect(row.impressions / (row.reach ?? 0)).toBeLessThanOrEqual(maxFrequency);
      }
    }),
    { numRuns: 300 },
  );
});

test("a row is the sum of its creatives, each possible in itself", () => {
  fc.assert(
    fc.property(campaign, (one) => {
      const known = new Set(one.runs.flatMap((part) => part.creativeIds));
      for (const row of simulateSandboxDay(one, { day, until: wholeDay })) {
        if (row.creatives === null) continue;
        for (const figure of ["impressions", "clicks", "conversions", "spendMicros", "revenueMicros"] as const) {
          expect(row.creatives.reduce((sum, part) => sum + part[figure], 0)).toBe(row[figure]);
        }
        for (const part of row.creatives) {
          expect(known.has(part.creativeId)).toBe(true);
          expect(part.clicks).toBeLessThanOrEqual(part.impressions);
          expect(Object.values(part).every((value) => typeof value === "string" || Number.isSafeInteger(value))).toBe(
            true,
          );
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("the same campaign delivers the same, and a later collection only adds", () => {
  fc.assert(
    fc.property(campaign, fc.integer({ min: 0, max: 24 }), (one, hours) => {
      const whole = simulateSandboxDay(one, { day, until: wholeDay });
      expect(simulateSandboxDay(structuredClone(one), { day, until: wholeDay })).toEqual(whole);
      for (const early of simulateSandboxDay(one, { day, until: midnight + hours * hour })) {
        const late = whole.find((row) => row.audienceId === early.audienceId && row.channel === early.channel);
        for (const figure of ["impressions", "clicks", "conversions", "spendMicros", "revenueMicros"] as const) {
          expect(late?.[figure]).toBeGreaterThanOrEqual(early[figure]);
        }
        expect(late?.reach).toBeGreaterThanOrEqual(early.reach ?? 0);
      }
    }),
    { numRuns: 300 },
  );
});

/** One line item on a large audience, running all along. */
function plain(
  more: Partial<SandboxCampaign> & { total?: number; daily?: number; from?: number; to?: number; size?: number } = {},
): SandboxCampaign {
  const { total = 1_000_000, daily = 60_000, from = 0, to = Number.POSITIVE_INFINITY, size = 400_000, ...rest } = more;
  const both = bounds(total, daily);
  const at = { segment: "high-value", adFormat: "display", objective: "conversions", size, cpmCents: 800 } as const;
  const placements = (["dv360", "trade_desk"] as const).map((channel) => ({ ...at, channel, audienceId: audience }));
  const cap = { impressions: 3, period: "day" as const };
  const only: SandboxRun = {
    lineItemId: item,
    from,
    to,
    bounds: both,
    sentBounds: both,
    cap,
    geolocations: ["us"],
    creativeIds: [],
    placements: placements,
  };
  return { id, seed: "a campaign", pacing: "even", spentMicros: 0, runs: [only], ...rest };
}
const [id, item, audience] = [
  newId<SandboxCampaign["id"]>(),
  newId<SandboxRun["lineItemId"]>(),
  newId<SandboxRun["placements"][number]["audienceId"]>(),
];

function dollars(one: SandboxCampaign, on = day, until = Date.parse(`${addDays(on, 1)}T00:00:00Z`)): number {
  return simulateSandboxDay(one, { day: on, until }).reduce((sum, row) => sum + row.spendMicros, 0) / 1e6;
}

test("evenly, the flight spends its budget and no day more than its part", () => {
  let spentMicros = 0;
  for (let on = date("2026-11-11"); on <= date("2026-11-30"); on = addDays(on, 1)) {
    const spent = dollars(plain({ spentMicros }), on);
    expect(spent, on).toBeGreaterThan(350);
    expect(spent, on).toBeLessThanOrEqual(600);
    spentMicros += spent * 1e6;
  }
  expect(spentMicros / 1e6).toBeGreaterThan(9_000);
  expect(spentMicros / 1e6).toBeLessThanOrEqual(10_000);
});

test("as fast as possible, each day spends its budget, until there is none", () => {
  expect(dollars(plain({ pacing: "asap" }))).toBeGreaterThan(599);
  expect(dollars(plain({ pacing: "asap", spentMicros: 9_900_000_000 }))).toBeGreaterThanOrEqual(100);
  expect(dollars(plain({ pacing: "asap", spentMicros: 9_900_000_000 }))).toBeLessThan(100.01);
  expect(dollars(plain({ pacing: "asap", spentMicros: 10_000_000_000 }))).toBe(0);
  const noon = midnight + 18 * hour;
  expect(dollars(plain({ pacing: "asap" }), day, noon)).toBeGreaterThan(dollars(plain(), day, noon));
});

test("nothing is outside the flight, before the run, or after it", () => {
  expect(dollars(plain(), date("2026-11-10"))).toBe(0);
  expect(dollars(plain(), date("2026-12-01"))).toBe(0);
  expect(dollars(plain({ from: wholeDay }))).toBe(0);
  expect(dollars(plain({ to: midnight }))).toBe(0);
  const morning = dollars(plain({ to: midnight + 12 * hour }));
  expect(morning).toBeGreaterThan(0);
  expect(morning).toBeLessThan(dollars(plain()));
});

test("a small audience is limited by its people's frequency cap", () => {
  const small = simulateSandboxDay(plain({ size: 2_000 }), { day, until: wholeDay });
  const seen = small.reduce((sum, row) => sum + row.impressions, 0);
  expect(seen).toBeGreaterThan(1_000);
  expect(seen).toBeLessThanOrEqual(6_000);
});

test("the hours of a day add up to a day in every time zone", () => {
  for (const country of geolocations) {
    const shares = hourShares([country]);
    expect(shares).toHaveLength(24);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
  }
  expect(hourShares(["jp"])[12]).toBeGreaterThan(hourShares(["us"])[12] ?? 0);
});
