import { and, eq, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { invariant } from "#app/domain/invariant.ts";
import { columnValue, queryRows, sqlValue } from "#db/query-rows.server.ts";
import { paymentReversals, spendableChanges } from "#db/schema/index.ts";
import { addDays, calendarDateOf } from "../../calendar-date.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { asCents, type Cents, microsToCents } from "../../money.ts";
import { inSnapshot } from "../../transaction.server.ts";
import type { ReversalReason } from "../reversals/reversal.ts";
import { fundsLeft, fundsShortfall, hasFunds, projectedLastDay } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/**
 * Returns the advertiser's wallet, in cents.
 * - `balance`: the wallet less the debt; negative when more was delivered than paid for.
 * - `reserved`: unsettled spend, plus what the eligible campaigns can still spend today (UTC): for each the lower of
 *   its remaining daily and total budget; 0 while delivery is on hold for funds.
 * - `available`: the balance and the credit limit less `reserved`, 0 or more.
 * - `reversed`: the part of the debt that comes from reversed payments and was not paid since, 0 or more. `reversedBy`
 *   is the reason of the latest reversal.
 * - `shortfall`: what a top-up has to exceed for campaigns to resume, 0 or more.
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
    owed > wallet ? readReversedDebt(ctx) : { cents: asCents(0), reason: null },
  ]);
  const reserved = asCents(unsettled + today);
  const left = fundsLeft(funds);
  return {
    balance: asCents(wallet - owed),
    owed,
    reversed: asCents(Math.min(reversed.cents, Math.max(0, owed - wallet))),
    reversedBy: reversed.reason,
    shortfall: fundsShortfall(funds),
    creditLimit,
    reserved,
    available: asCents(Math.max(0, wallet - owed + creditLimit - reserved)),
    /** No funds are left: delivery is on hold. */
    holds,
    lastDay: holds ? null : projectedLastDay({ left, lastWeek }, calendarDateOf(ctx.clock())),
  };
}

const spendRow = z.object({ micros: z.string() });
const reversedRow = z.object({ cents: z.string(), reason: columnValue(paymentReversals.reason).nullable() });

/** Returns what the eligible campaigns can still spend today, in cents: the sum of the changes until today. */
async function readSpendableToday(ctx: Ctx<AdvertiserActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${spendableChanges.cents}), 0)::text`) })
    .from(spendableChanges)
    .where(
      and(
        eq(spendableChanges.advertiserId, ctx.actor.accountId),
        lte(spendableChanges.day, calendarDateOf(ctx.clock())),
      ),
    );
  return asCents(Number(row?.cents ?? 0));
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

/**
 * Returns the debt of reversed payments, in cents, and the reason of the latest. Each reversal adds what the wallet did
 * not cover; whatever the account paid or was refunded afterwards pays that first. A payment counts from when it
 * succeeded.
 */
async function readReversedDebt(ctx: Ctx<AdvertiserActor>): Promise<{ cents: Cents; reason: ReversalReason | null }> {
  const { accountId } = ctx.actor;
  const [row] = await queryRows(
    ctx.db,
    reversedRow,
    sql`
      select coalesce(sum(walked.change) - least(0, min(walked.running)), 0)::text as cents,
        (select reason from payment_reversals where account_id = ${accountId} and amount_cents > 0 order by created_at desc, id desc limit 1) as reason
      from (
        select moved.change, sum(moved.change) over (order by moved.posted_at, moved.id) as running from (
          select posted.posted_at, posted.id, case when reversal.amount_cents > 0 then (
              select coalesce(sum(entry.amount_cents), 0) from ledger_entries entry join ledger_accounts debt on debt.id = entry.account_id and debt.kind = 'advertiser_receivable'
              where entry.transaction_id = posted.id)
            else -greatest(0, line.amount_cents) end as change
          from transactions line join ledger_transactions posted on posted.id = line.ledger_transaction_id
          left join payment_reversals reversal on reversal.ledger_transaction_id = posted.id
          where line.account_id = ${accountId} and line.type in ('top_up', 'adjustment', 'refund')
            and posted.posted_at >= (select min(first.posted_at) from payment_reversals reversal join ledger_transactions first on first.id = reversal.ledger_transaction_id where reversal.account_id = ${accountId})
        ) moved
      ) walked`,
  );
  return { cents: asCents(Number(row?.cents ?? 0)), reason: row?.reason ?? null };
}
