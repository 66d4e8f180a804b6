import { sql } from "drizzle-orm";
import { z } from "zod";
import { deliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import { invariant } from "#app/domain/invariant.ts";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions } from "#db/schema/index.ts";
import { addDays, type CalendarDate, calendarDateOf } from "../../calendar-date.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { asCents, type Cents, microsToCents } from "../../money.ts";
import { inSnapshot } from "../../transaction.server.ts";
import { fundsLeft, hasFunds, projectedLastDay } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/**
 * Returns the advertiser's wallet, in cents.
 * - `balance`: the wallet less the debt; negative when more was delivered than paid for.
 * - `reserved`: unsettled spend, plus what the eligible campaigns can still spend today (UTC): for each the lower of
 *   its remaining daily and total budget; 0 while delivery is on hold for funds.
 * - `available`: the balance and the credit limit less `reserved`, 0 or more.
 * - `reversed`: the part of the debt that comes from reversed payments, 0 or more.
 * - `lastDay`: the day on which the funds run out at the pace of the last seven full days, if that is within a week.
 */
export async function getWallet(ctx: Ctx<AdvertiserActor>) {
  return inSnapshot(ctx, readWallet);
}

export type Wallet = Awaited<ReturnType<typeof getWallet>>;

async function readWallet(ctx: Ctx<AdvertiserActor>) {
  const { accountId } = ctx.actor;
  const funds = (await readFunds(ctx, [accountId])).get(accountId);
  invariant(funds, "advertiser has no funds row", { accountId });
  const holds = !hasFunds(funds);
  const { wallet, owed, creditLimit, unsettled } = funds;
  const [today, lastWeek, reversed] = await Promise.all([
    holds ? asCents(0) : readSpendableToday(ctx),
    readSpendLastWeek(ctx),
    owed > wallet ? sumReversals(ctx) : asCents(0),
  ]);
  const reserved = asCents(unsettled + today);
  const left = fundsLeft(funds);
  return {
    balance: asCents(wallet - owed),
    owed,
    reversed: asCents(Math.min(reversed, Math.max(0, owed - wallet))),
    creditLimit,
    reserved,
    available: asCents(Math.max(0, wallet - owed + creditLimit - reserved)),
    /** No funds are left: delivery is on hold. */
    holds,
    lastDay: holds ? null : projectedLastDay({ left, lastWeek }, calendarDateOf(ctx.clock())),
  };
}

const campaignRow = z.object({
  id: columnValue(campaigns.id),
  spent: z.string(),
  today: z.string(),
  start: presentValue(campaignVersions.startDate),
  end: presentValue(campaignVersions.endDate),
  total: z.string(),
  daily: z.string(),
  sent_total: z.string(),
  sent_daily: z.string(),
});

const spendRow = z.object({ micros: z.string() });
const reversedRow = z.object({ cents: z.string() });

/**
 * Returns what the eligible campaigns can still spend today, in cents. Each line item's day is read by its key in a
 * subquery of its own: as a join, tables without statistics had all days read once per campaign.
 */
async function readSpendableToday(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const today = calendarDateOf(ctx.clock());
  const rows = await queryRows(
    ctx.db,
    campaignRow,
    sql`
      select campaign.id, campaign.spend_micros::text as spent, approved.start_date::text as start, approved.end_date::text as end,
        coalesce((select sum((select day.spend_micros from line_item_days day where day.line_item_id = part.id and day.day = ${today}::date))
          from line_items part where part.campaign_id = campaign.id), 0)::text as today,
        approved.total_budget_cents::text as total, approved.daily_budget_cents::text as daily,
        sent.total_budget_cents::text as sent_total, sent.daily_budget_cents::text as sent_daily
      from campaigns campaign join line_items item on item.campaign_id = campaign.id and item.status = 'active'
      join campaign_versions approved on approved.campaign_id = item.campaign_id and approved.number = item.approved_version
      join campaign_versions sent on sent.campaign_id = item.campaign_id and sent.number = item.sent_version
      where campaign.advertiser_id = ${ctx.actor.accountId} and campaign.status = 'active'`,
  );
  // All publishers of a campaign share its budgets.
  const open = new Map<CampaignId, number>();
  for (const row of rows) open.set(row.id, Math.max(open.get(row.id) ?? 0, spendableToday(row, today)));
  return asCents([...open.values()].reduce((sum, cents) => sum + cents, 0));
}

function spendableToday(row: z.output<typeof campaignRow>, day: CalendarDate): number {
  const bounds = (total: string, daily: string) => ({
    startDate: row.start,
    endDate: row.end,
    totalBudgetCents: asCents(Number(total)),
    dailyBudgetCents: asCents(Number(daily)),
  });
  const spentCents = microsToCents(BigInt(row.spent));
  const [approved, sent] = [bounds(row.total, row.daily), bounds(row.sent_total, row.sent_daily)];
  const state = deliveryEligibility({ status: "active", approved, sentBounds: sent, spentCents }, day);
  if (!state.eligible) return 0;
  const today = microsToCents(BigInt(row.today));
  return Math.max(0, Math.min(state.totalBudgetCents - spentCents, state.dailyBudgetCents - today));
}

/** Returns the spend of the last seven full days, in cents. */
async function readSpendLastWeek(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const today = calendarDateOf(ctx.clock());
  const [row] = await queryRows(
    ctx.db,
    spendRow,
    sql`
      select coalesce(sum(spend_micros), 0)::text as micros from account_days
      where account_id = ${ctx.actor.accountId} and day between ${addDays(today, -7)}::date and ${addDays(today, -1)}::date`,
  );
  return microsToCents(BigInt(row?.micros ?? 0));
}

/** Returns the total of the advertiser's reversed payments, in cents. */
async function sumReversals(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const [row] = await queryRows(
    ctx.db,
    reversedRow,
    sql`
      select coalesce(sum(amount_cents), 0)::text as cents from payment_reversals where account_id = ${ctx.actor.accountId}`,
  );
  return asCents(Number(row?.cents ?? 0));
}
