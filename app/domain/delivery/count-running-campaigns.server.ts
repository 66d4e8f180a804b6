import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { addDays, calendarDateOf } from "../calendar-date.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";

/** The number of days that the dashboards show. */
const dashboardDays = 30;
/** Above this number of campaigns the history is not counted, because it would exceed the time limit of a page. */
const maxCampaigns = 2_000;

const momentRow = z.object({ owned: z.number(), running: z.number() });

/**
 * Counts the advertiser's campaigns that at least one publisher ran, at the end of each of the last 30 days and of the
 * day before them; the last value is as of now. Undefined for more than 2,000 campaigns.
 */
export async function countRunningCampaigns(ctx: Ctx<AdvertiserActor>): Promise<number[] | undefined> {
  const now = ctx.clock();
  const first = addDays(calendarDateOf(now), -dashboardDays);
  const owned = sql`select id from campaigns where advertiser_id = ${ctx.actor.accountId} and version > 0 limit ${maxCampaigns + 1}`;
  const rows = await queryRows(
    ctx.db,
    momentRow,
    sql`
      with owned as materialized (${owned}),
      runs as materialized (select campaign_id, started_at, ended_at from line_item_runs where campaign_id in (select id from owned)
        and (select count(*) from owned) <= ${maxCampaigns} and (ended_at is null or ended_at > ${first}::date))
      select (select count(*)::int from owned) as owned,
        (select count(distinct campaign_id)::int from runs where started_at <= at and (ended_at is null or ended_at > at)) as running
      from generate_series(0, ${dashboardDays}) nth,
        lateral (select least((${first}::date + nth + 1)::timestamp at time zone 'UTC', ${now.toISOString()}::timestamptz) as at) moment
      order by nth`,
  );
  return (rows[0]?.owned ?? 0) > maxCampaigns ? undefined : rows.map(({ running }) => running);
}
