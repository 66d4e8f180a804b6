import { and, asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { deliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { asCents, microsToCents } from "#app/domain/money.ts";
import { localDateOf } from "#app/domain/time-zone.ts";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, channelActivations, channelConnections, lineItems } from "#db/schema/index.ts";

const settledRow = z.object({
  lineItemId: columnValue(channelActivations.lineItemId),
  channel: columnValue(channelActivations.channel),
  isRunning: z.boolean(),
  timeZone: columnValue(channelConnections.timeZone),
  status: columnValue(lineItems.status),
  spent: z.string(),
  startDate: columnValue(campaignVersions.startDate),
  endDate: columnValue(campaignVersions.endDate),
  total: z.string(),
  daily: z.string(),
  sentStartDate: columnValue(campaignVersions.startDate),
  sentEndDate: columnValue(campaignVersions.endDate),
  sentTotal: z.string(),
  sentDaily: z.string(),
});
type SettledRow = z.output<typeof settledRow>;

/** The number of campaigns that are read at a time, to bound memory. */
const campaignsPerPage = 500;

/**
 * Makes the activations of connected channels due whose line item runs there although it may not deliver now, or does
 * not run although it may: flights begin and end, and budgets are used up, without a change of the line item. Returns
 * how many.
 */
export async function rescheduleByEligibility(
  ctx: Ctx<JobActor>,
  { pageSize = campaignsPerPage }: { pageSize?: number } = {},
): Promise<number> {
  if ((await ctx.db.$count(channelConnections)) === 0) return 0;
  let rescheduled = 0;
  for (let after: CampaignId | undefined; !ctx.stopping?.aborted; ) {
    const page = await listRunningCampaigns(ctx, { after, pageSize });
    rescheduled += await rescheduleChanged(ctx, page);
    after = page.at(-1);
    if (page.length < pageSize) break;
  }
  return rescheduled;
}

async function listRunningCampaigns(
  ctx: Ctx,
  { after, pageSize }: { after: CampaignId | undefined; pageSize: number },
): Promise<CampaignId[]> {
  const rows = await ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.status, "active"), after && gt(campaigns.id, after)))
    .orderBy(asc(campaigns.id))
    .limit(pageSize);
  return rows.map(({ id }) => id);
}

async function rescheduleChanged(ctx: Ctx<JobActor>, campaignIds: readonly CampaignId[]): Promise<number> {
  const now = ctx.clock();
  const changed = (await listSettled(ctx, campaignIds)).filter((row) => row.isRunning !== isEligible(row, now));
  if (changed.length === 0) return 0;
  const rescheduled = await ctx.db.execute(sql`
    update channel_activations activation set due_at = ${now.toISOString()}::timestamptz
    from unnest(${pgArray(changed.map(({ lineItemId }) => lineItemId))}::uuid[], ${pgArray(changed.map(({ channel }) => channel))}::text[]) as row (line_item_id, channel)
    where activation.line_item_id = row.line_item_id and activation.channel = row.channel
      and activation.desired_state = 'active' and activation.due_at is null and activation.leased_until is null`);
  return rescheduled.count;
}

/**
 * Lists the activations of these campaigns that the channels have confirmed, and about which they are not asked again.
 */
async function listSettled(ctx: Ctx, campaignIds: readonly CampaignId[]): Promise<SettledRow[]> {
  return queryRows(
    ctx.db,
    settledRow,
    sql`
      select item.id as "lineItemId", activation.channel, activation.confirmed_state = 'active' as "isRunning", connection.time_zone as "timeZone",
        item.status, campaign.spend_micros::text as spent,
        approved.start_date::text as "startDate", approved.end_date::text as "endDate",
        approved.total_budget_cents::text as total, approved.daily_budget_cents::text as daily,
        sent.start_date::text as "sentStartDate", sent.end_date::text as "sentEndDate",
        sent.total_budget_cents::text as "sentTotal", sent.daily_budget_cents::text as "sentDaily"
      from (select id, spend_micros from campaigns where id = any(${pgArray(campaignIds)}::uuid[]) and status = 'active' offset 0) campaign
      cross join lateral (select id, status, sent_version from line_items where campaign_id = campaign.id and status = 'active' offset 0) item
      cross join lateral (
        select channel, confirmed_state, desired_version from channel_activations
        where line_item_id = item.id and desired_state = 'active' and confirmed_state is not null and due_at is null and leased_until is null offset 0
      ) activation
      join channel_connections connection on connection.channel = activation.channel
      cross join lateral (select * from campaign_versions where campaign_id = campaign.id and number = activation.desired_version offset 0) approved
      cross join lateral (select * from campaign_versions where campaign_id = campaign.id and number = item.sent_version offset 0) sent`,
  );
}

/** A day of the account's time zone is treated as the day (UTC) of the same date (docs/decisions/0027). */
function isEligible(row: SettledRow, now: Date): boolean {
  const budgets = (total: string, daily: string) => ({
    totalBudgetCents: asCents(Number(total)),
    dailyBudgetCents: asCents(Number(daily)),
  });
  const approved = { startDate: row.startDate, endDate: row.endDate, ...budgets(row.total, row.daily) };
  const sentBounds = {
    startDate: row.sentStartDate,
    endDate: row.sentEndDate,
    ...budgets(row.sentTotal, row.sentDaily),
  };
  const spentCents = microsToCents(BigInt(row.spent));
  return deliveryEligibility({ status: row.status, approved, sentBounds, spentCents }, localDateOf(now, row.timeZone))
    .eligible;
}
