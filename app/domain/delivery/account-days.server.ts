import { sql } from "drizzle-orm";
import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import { ctrPercent, roas } from "../campaigns/metrics.ts";
import type { Ctx, PublisherActor, TenantActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { type Cents, centsOfMicros, toCents } from "../money.ts";
import { wholeCents } from "./whole-cents.ts";

/** What was delivered for an account. Money in whole cents, those of days adding up to the totals; CTR (percent) and ROAS null without a denominator. */
export type AccountFigures = {
  impressions: number;
  clicks: number;
  conversions: number;
  spendCents: Cents;
  /** What the publisher's share of the spend is; of an advertiser's days what its publishers earned. */
  earnedCents: Cents;
  ctr: number | null;
  roas: number | null;
};

export type AccountDay = AccountFigures & { day: CalendarDate };

/** How many days the dashboards look back. */
export const dashboardDays = 30;

/** The last 30 days (UTC), today among them, beside the 30 before; each day is there, whether something was delivered or not. */
export async function compareAccountDays(ctx: Ctx<TenantActor>) {
  const { first, last } = lastDays(ctx.clock(), dashboardDays * 2);
  const rows = await ctx.db.execute<SummedRow>(sql`
    select day::text as day, ${sums} from account_days
    where account_id = ${ctx.actor.accountId} and day between ${first}::date and ${last}::date group by day`);
  return {
    days: eachDay(rows, addDays(first, dashboardDays)),
    previousDays: eachDay(rows, first),
    totals: figuresOf(rows.filter(({ day }) => day >= addDays(first, dashboardDays))),
    previous: figuresOf(rows.filter(({ day }) => day < addDays(first, dashboardDays))),
  };
}

export type ComparedDays = Awaited<ReturnType<typeof compareAccountDays>>;

/** What was delivered to one of the publisher's audiences in the last 30 days, each day being there. */
export async function listAudienceDays(ctx: Ctx<PublisherActor>, id: AudienceId): Promise<AccountDay[]> {
  const { first, last } = lastDays(ctx.clock(), dashboardDays);
  const rows = await ctx.db.execute<SummedRow>(sql`
    select day::text as day, ${sums} from account_audience_days
    where account_id = ${ctx.actor.accountId} and audience_id = ${id} and day between ${first}::date and ${last}::date group by day`);
  return eachDay(rows, first);
}

type Summed = "impressions" | "clicks" | "conversions" | "spend_micros" | "revenue_micros" | "earned_units";
type SummedRow = { day: CalendarDate } & Record<Summed, string>;

const sums = sql.raw(
  ["impressions", "clicks", "conversions", "spend_micros", "revenue_micros", "earned_units"]
    .map((name) => `sum(${name})::text as ${name}`)
    .join(", "),
);

function lastDays(now: Date, count: number): { first: CalendarDate; last: CalendarDate } {
  const last = calendarDateOf(now);
  return { first: addDays(last, 1 - count), last };
}

function eachDay(rows: readonly SummedRow[], first: CalendarDate): AccountDay[] {
  const known = new Map(rows.map((row) => [row.day, [row]]));
  const days = Array.from({ length: dashboardDays }, (_, index) => addDays(first, index));
  const ofDays = days.map((day) => known.get(day) ?? []);
  const spent = wholeCents(ofDays.map((ofDay) => sum(ofDay, "spend_micros")));
  const earned = wholeCents(ofDays.map((ofDay) => earnedMicros(ofDay)));
  return days.map((day, index) => ({
    day,
    ...figuresOf(ofDays[index] ?? []),
    spendCents: spent[index] ?? toCents(0),
    earnedCents: earned[index] ?? toCents(0),
  }));
}

function figuresOf(rows: readonly SummedRow[]): AccountFigures {
  const counted = {
    impressions: Number(sum(rows, "impressions")),
    clicks: Number(sum(rows, "clicks")),
    conversions: Number(sum(rows, "conversions")),
  };
  const money = { spendMicros: sum(rows, "spend_micros"), revenueMicros: sum(rows, "revenue_micros") };
  return {
    ...counted,
    spendCents: centsOfMicros(money.spendMicros),
    earnedCents: centsOfMicros(earnedMicros(rows)),
    ctr: counted.impressions === 0 ? null : ctrPercent(counted),
    roas: roas(money),
  };
}

/** Kept in micros times basis points. */
function earnedMicros(rows: readonly SummedRow[]): bigint {
  return sum(rows, "earned_units") / 10_000n;
}

function sum(rows: readonly SummedRow[], name: Summed): bigint {
  return rows.reduce((total, row) => total + BigInt(row[name]), 0n);
}
