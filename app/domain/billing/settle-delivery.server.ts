import { sql } from "drizzle-orm";
import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import { type CalendarMonth, firstDayOf } from "../calendar-month.ts";
import type { Ctx, JobActor, OperatorActor } from "../context.ts";
import { type AccountId, type LedgerTransactionId, newId, type RevenueShareId, type TransactionId } from "../ids.ts";
import { asCents } from "../money.ts";
import { inLongTransaction } from "../transaction.server.ts";
import type { LedgerLeg, LedgerPosting } from "./ledger/ledger.ts";
import { lockLedgerAccounts, toAdvertiserFunds } from "./ledger/ledger-accounts.server.ts";
import { type ClosedBalance, listClosedBalances } from "./ledger/list-closed-balances.server.ts";
import { firstOpenMonth } from "./ledger/month-closing.ts";
import { postToLedger } from "./ledger/post-to-ledger.server.ts";
import { isUnsettled, settlementParts, sumParts } from "./ledger/settlement-parts.ts";
import {
  type AdvertiserFunds,
  type SettlementAmounts,
  spendLegs,
  type UnsettledLineItem,
} from "./ledger/spend-posting.ts";
import { lockUnsettled, type SettledLineItem } from "./lock-unsettled.server.ts";
import { notifyOfNegativeBalances } from "./payouts/notify-of-negative-balances.server.ts";
import { restateRefund, writeRestatedRefunds } from "./refunds/restate-refunds.server.ts";

type SettleCtx = Ctx<JobActor | OperatorActor>;

/**
 * Settles the spend of all line items through a day (UTC), by default yesterday: spend, the publisher's earnings and
 * our fee become ledger entries, a transaction of the advertiser and a revenue share of the publisher. Only the
 * difference to the settled amounts is posted, so that repeated and concurrent runs are safe. What changed in a closed
 * month is posted apart, as the adjustment of that month (decision 90). `onClosedBalance` is called for each closed
 * account that what was settled left with a balance, because nobody is there to ask for it. Returns the number of line
 * items settled.
 */
export async function settleDelivery(
  ctx: SettleCtx,
  input: {
    through?: CalendarDate | undefined;
    monthClosingDays?: number;
    onClosedBalance?: (account: ClosedBalance) => void;
  } = {},
): Promise<number> {
  const yesterday = addDays(calendarDateOf(ctx.clock()), -1);
  const through = input.through && input.through < yesterday ? input.through : yesterday;
  const firstOpen = firstOpenMonth(ctx.clock(), input.monthClosingDays);
  let settled = 0;
  for (let after: string | undefined = ""; after !== undefined && !ctx.stopping?.aborted; ) {
    const batch: SettledBatch = await inLongTransaction(ctx, (tx) =>
      settleBatch(tx, { through, firstOpen, after: after ?? "" }),
    );
    settled += batch.settled;
    after = batch.next;
    for (const account of batch.closed) input.onClosedBalance?.(account);
  }
  return settled;
}

type SettledBatch = { settled: number; next: string | undefined; closed: readonly ClosedBalance[] };

async function settleBatch(
  ctx: SettleCtx,
  { through, firstOpen, after }: { through: CalendarDate; firstOpen: CalendarMonth; after: string },
): Promise<SettledBatch> {
  const { items, last: next } = await lockUnsettled(ctx, { through, after });
  const due = items.filter(isUnsettled);
  if (due.length === 0) return { settled: 0, next, closed: [] };
  const accounts = await lockLedgerAccounts(ctx, ledgerAccountsFor(due));
  const funds = new Map<AccountId, AdvertiserFunds>();
  const settlements = due.map((item): Settlement => {
    const own = funds.get(item.advertiserId) ?? toAdvertiserFunds(item.advertiserId, accounts);
    funds.set(item.advertiserId, own);
    const parts = settlementParts(item, firstOpen).map(({ adjustsMonth, amounts }, index): SettledPart => {
      const revision = item.revision + 1 + index;
      const eventKey = `campaign_spend/${item.id}/${revision}`;
      const legs = spendLegs(item, amounts, own);
      return { amounts, revision, posting: { event: "campaign_spend", eventKey, adjustsMonth, legs } };
    });
    const total = sumParts(parts);
    const settled = {
      ...item,
      revision: item.revision + parts.length,
      settledSpend: asCents(item.settledSpend + total.spend),
      settledEarnings: asCents(item.settledEarnings + total.earnings),
    };
    return { item: settled, parts };
  });
  const restated = settlements.flatMap(({ item }) => restateRefund(item, funds.get(item.advertiserId)) ?? []);
  const postings = [...settlements.flatMap(({ parts }) => parts), ...restated].map(({ posting }) => posting);
  const posted = await postToLedger(ctx, { postings, accounts });
  await writeSettlements(ctx, { settlements, posted, through });
  await writeRestatedRefunds(ctx, { restated, posted, through });
  await notifyOfNegativeBalances(ctx, { postings, accounts });
  const ids = [...new Set(due.flatMap(({ advertiserId, publisherId }) => [advertiserId, publisherId]))];
  return { settled: settlements.length, next, closed: await listClosedBalances(ctx, { ids }) };
}

type SettledPart = { amounts: SettlementAmounts; revision: number; posting: LedgerPosting };
/** A line item as it is after the settlement, and the parts that were settled. */
type Settlement = { item: SettledLineItem; parts: SettledPart[] };

function ledgerAccountsFor(items: readonly UnsettledLineItem[]): Pick<LedgerLeg, "account" | "ownerId">[] {
  const advertisers = [...new Set(items.map(({ advertiserId }) => advertiserId))];
  const publishers = [...new Set(items.map(({ publisherId }) => publisherId))];
  return [
    ...advertisers.map((ownerId) => ({ account: "advertiser_wallet" as const, ownerId })),
    ...advertisers.map((ownerId) => ({ account: "advertiser_receivable" as const, ownerId })),
    ...publishers.map((ownerId) => ({ account: "publisher_payable" as const, ownerId })),
    { account: "platform_fee" },
  ];
}

async function writeSettlements(
  ctx: SettleCtx,
  input: {
    settlements: readonly Settlement[];
    posted: ReadonlyMap<string, LedgerTransactionId>;
    through: CalendarDate;
  },
): Promise<void> {
  const at = sql`${ctx.clock().toISOString()}::timestamptz`;
  const items = input.settlements.map(({ item }) => ({
    line_item_id: item.id,
    revision: item.revision,
    micros: String(item.spendMicros),
    by_month: item.spendByMonth,
    all_spend: item.settledSpend,
    all_earnings: item.settledEarnings,
  }));
  const parts = input.settlements.flatMap(({ item, parts }) =>
    parts.map(({ amounts, revision, posting }) => ({
      line_item_id: item.id,
      publisher_id: item.publisherId,
      advertiser_id: item.advertiserId,
      campaign_name: item.campaignName,
      revision,
      adjusts: posting.adjustsMonth ? firstDayOf(posting.adjustsMonth) : null,
      spend: amounts.spend,
      earnings: amounts.earnings,
      fee: amounts.fee,
      ledger_id: input.posted.get(posting.eventKey),
      share_id: newId<RevenueShareId>(),
      transaction_id: newId<TransactionId>(),
    })),
  );
  await ctx.db.execute(sql`
    with part as materialized (select * from json_to_recordset(${JSON.stringify(parts)}::json) as part (line_item_id uuid, publisher_id uuid, advertiser_id uuid,
      campaign_name text, revision int, adjusts date, spend bigint, earnings bigint, fee bigint, ledger_id uuid, share_id uuid, transaction_id uuid)),
    shares as (insert into revenue_shares (id, publisher_id, line_item_id, revision, settled_through, spend_cents, earnings_cents, fee_cents, adjusts_month, ledger_transaction_id, created_at)
      select share_id, publisher_id, line_item_id, revision, ${input.through}::date, spend, earnings, fee, adjusts, ledger_id, ${at} from part),
    spend_lines as (insert into transactions (id, account_id, type, status, description, amount_cents, adjusts_month, ledger_transaction_id, created_at)
      select transaction_id, advertiser_id, 'campaign_spend', 'succeeded', campaign_name, spend, adjusts, ledger_id, ${at} from part)
    insert into line_item_settlements (line_item_id, revision, settled_through, spend_micros, spend_cents, earnings_cents, spend_by_month)
    select line_item_id, revision, ${input.through}::date, micros, all_spend, all_earnings, by_month
    from json_to_recordset(${JSON.stringify(items)}::json) as settled (line_item_id uuid, revision int, micros bigint, by_month jsonb, all_spend bigint, all_earnings bigint)
    on conflict (line_item_id) do update set revision = excluded.revision, settled_through = excluded.settled_through, spend_micros = excluded.spend_micros,
      spend_cents = excluded.spend_cents, earnings_cents = excluded.earnings_cents, spend_by_month = excluded.spend_by_month`);
}
