import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions } from "#db/schema/index.ts";
import { addDays, type CalendarDate, calendarDateOf } from "../../calendar-date.ts";
import { mayDeliver } from "../../campaigns/may-deliver.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { type Cents, centsOfMicros, toCents } from "../../money.ts";
import { fundsLeft, hasFunds, projectedLastDay } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/**
 * The advertiser's wallet, in cents.
 * - `balance`: what is in it, less what is owed (below nothing where more was delivered than paid for).
 * - `reserved`: what was delivered and is not settled, and what the campaigns that may deliver can still spend today (UTC):
 *   of each the least of what is left of its day's and of its total budget; nothing while delivery waits for funds.
 * - `available`: the balance and the credit limit less what is reserved, 0 or more.
 * - `takenBack`: what of the debt is there because payments were taken back, 0 or more.
 * - `lastDay`: the day the money ends at the pace of the last seven full days, where that is within a week.
 */
export async function getWallet(ctx: Ctx<AdvertiserActor>) {
  const { accountId } = ctx.actor;
  const funds = (await readFunds(ctx, [accountId])).get(accountId);
  if (!funds) throw new Error("an advertiser has funds");
  const holds = !hasFunds(funds);
  const { wallet, owed, creditLimit, unsettled } = funds;
  const [today, lastWeek, gone] = await Promise.all([
    holds ? toCents(0) : openToday(ctx),
    spentLastWeek(ctx),
    owed > wallet ? sumTakenBack(ctx) : toCents(0),
  ]);
  const reserved = toCents(unsettled + today);
  const left = fundsLeft(funds);
  return {
    balance: toCents(wallet - owed),
    owed,
    takenBack: toCents(Math.min(gone, Math.max(0, owed - wallet))),
    creditLimit,
    reserved,
    available: toCents(Math.max(0, wallet - owed + creditLimit - reserved)),
    /** All is used up: the channels were told to wait. */
    holds,
    lastDay: holds ? null : projectedLastDay({ left, lastWeek }, calendarDateOf(ctx.clock())),
  };
}

export type Wallet = Awaited<ReturnType<typeof getWallet>>;

const openRow = z.object({
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
const takenBackRow = z.object({ cents: z.string() });

/** What the campaigns that may deliver can still spend today. */
async function openToday(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const today = calendarDateOf(ctx.clock());
  const rows = await queryRows(
    ctx.db,
    openRow,
    sql`
      select campaign.id, campaign.spend_micros::text as spent, approved.start_date::text as start, approved.end_date::text as end,
        coalesce((select sum(day.spend_micros) from line_items part join line_item_days day on day.line_item_id = part.id
          where part.campaign_id = campaign.id and day.day = ${today}::date), 0)::text as today,
        approved.total_budget_cents::text as total, approved.daily_budget_cents::text as daily,
        sent.total_budget_cents::text as sent_total, sent.daily_budget_cents::text as sent_daily
      from campaigns campaign join line_items item on item.campaign_id = campaign.id and item.status = 'active'
      join campaign_versions approved on approved.campaign_id = item.campaign_id and approved.number = item.approved_version
      join campaign_versions sent on sent.campaign_id = item.campaign_id and sent.number = item.sent_version
      where campaign.advertiser_id = ${ctx.actor.accountId} and campaign.status = 'active'`,
  );
  // The publishers of a campaign share its budgets.
  const open = new Map<CampaignId, number>();
  for (const row of rows) open.set(row.id, Math.max(open.get(row.id) ?? 0, openOf(row, today)));
  return toCents([...open.values()].reduce((sum, cents) => sum + cents, 0));
}

function openOf(row: z.output<typeof openRow>, day: CalendarDate): number {
  const bounds = (total: string, daily: string) => ({
    startDate: row.start,
    endDate: row.end,
    totalBudgetCents: toCents(Number(total)),
    dailyBudgetCents: toCents(Number(daily)),
  });
  const spentCents = centsOfMicros(BigInt(row.spent));
  const [approved, sent] = [bounds(row.total, row.daily), bounds(row.sent_total, row.sent_daily)];
  const state = mayDeliver({ status: "active", approved, sent, spentCents }, day);
  if (!state.may) return 0;
  const today = centsOfMicros(BigInt(row.today));
  return Math.max(0, Math.min(state.totalBudgetCents - spentCents, state.dailyBudgetCents - today));
}

/** What the last seven full days took. */
async function spentLastWeek(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const today = calendarDateOf(ctx.clock());
  const [row] = await queryRows(
    ctx.db,
    spendRow,
    sql`
      select coalesce(sum(day.spend_micros), 0)::text as micros from campaigns campaign join line_items item on item.campaign_id = campaign.id
      join line_item_days day on day.line_item_id = item.id and day.day between ${addDays(today, -7)}::date and ${addDays(today, -1)}::date
      where campaign.advertiser_id = ${ctx.actor.accountId}`,
  );
  return centsOfMicros(BigInt(row?.micros ?? 0));
}

/** What is gone of all that it ever paid. */
async function sumTakenBack(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const [row] = await queryRows(
    ctx.db,
    takenBackRow,
    sql`
      select coalesce(sum(amount_cents), 0)::text as cents from payments_taken_back where account_id = ${ctx.actor.accountId}`,
  );
  return toCents(Number(row?.cents ?? 0));
}
