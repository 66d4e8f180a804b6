import { type SQL, sql } from "drizzle-orm";

/**
 * The invariants of settled delivery: revenue shares, refunds of spend, and what advertisers spent and can spend. Each
 * query selects the violations.
 */
export const settlementInvariants = {
  "revenue share differs from the ledger": sql`
    select share.id::text as id from revenue_shares share left join (
      select entry.transaction_id, coalesce(sum(entry.amount_cents) filter (where account.kind in ('advertiser_wallet', 'advertiser_receivable')), 0) as spend,
        coalesce(-sum(entry.amount_cents) filter (where account.kind = 'publisher_payable'), 0) as earnings,
        coalesce(-sum(entry.amount_cents) filter (where account.kind = 'platform_fee'), 0) as fee
      from ledger_entries entry join ledger_accounts account on account.id = entry.account_id group by 1
    ) posted on posted.transaction_id = share.ledger_transaction_id
    where (share.spend_cents, share.earnings_cents, share.fee_cents) is distinct from (posted.spend, posted.earnings, posted.fee)`,
  "adjustment of a closed month differs from the ledger": sql`
    select share.id::text as id from revenue_shares share join ledger_transactions posted on posted.id = share.ledger_transaction_id
    where share.adjusts_month is distinct from posted.adjusts_month
    union all select line.id::text from transactions line join ledger_transactions posted on posted.id = line.ledger_transaction_id
    where line.adjusts_month is distinct from posted.adjusts_month`,
  "settled spend by month does not sum to the settled spend": sql`
    select known.line_item_id::text as id from line_item_settlements known
    where known.spend_micros <> (select coalesce(sum(micros::bigint), 0) from jsonb_each_text(known.spend_by_month) as of (month, micros))`,
  "line item settlement differs from the sum of its revenue shares": sql`
    select coalesce(known.line_item_id, shares.line_item_id)::text as id from line_item_settlements known
    full join (select line_item_id, max(revision) as revision, sum(spend_cents) as spend, sum(earnings_cents) as earnings from revenue_shares where refund_id is null group by 1) shares using (line_item_id)
    where (known.revision, known.spend_cents, known.earnings_cents) is distinct from (shares.revision, shares.spend, shares.earnings)`,
  "day of revenue shares differs from the sum of its shares": sql`
    select coalesce(kept.publisher_id, summed.publisher_id) || ' ' || coalesce(kept.day, summed.day) as id from revenue_share_days kept full join (
      select publisher_id, settled_through as day, coalesce(sum(earnings_cents) filter (where refund_id is null), 0) as settled,
        coalesce(sum(earnings_cents) filter (where refund_id is not null), 0) as refunded,
        coalesce(sum(earnings_cents) filter (where payout_id is null and earnings_cents >= 0), 0) as unpaid,
        coalesce(sum(earnings_cents) filter (where payout_id is null and earnings_cents < 0), 0) as deductions
      from revenue_shares group by 1, 2
    ) summed on (summed.publisher_id, summed.day) = (kept.publisher_id, kept.day)
    where (kept.settled_cents, kept.refunded_cents, kept.unpaid_cents, kept.unpaid_deductions_cents) is distinct from (summed.settled, summed.refunded, summed.unpaid, summed.deductions)`,
  "unsettled spend differs from spend less settlements": sql`
    select coalesce(item.id, kept.line_item_id)::text as id from line_items item left join line_item_settlements known on known.line_item_id = item.id
    full join unsettled_line_items kept on kept.line_item_id = item.id
    where coalesce(kept.cents, 0) <> item.spend_micros / 10000 - coalesce(known.spend_cents, 0)
    union all select coalesce(total.advertiser_id, summed.advertiser_id)::text from unsettled_spend total full join (
      select campaign.advertiser_id, sum(kept.cents) as cents from unsettled_line_items kept
      join line_items item on item.id = kept.line_item_id join campaigns campaign on campaign.id = item.campaign_id group by 1
    ) summed using (advertiser_id) where coalesce(total.cents, 0) <> coalesce(summed.cents, 0)`,
  "what a campaign can spend differs from its budgets": sql`
    select coalesce(kept.campaign_id, fresh.campaign_id)::text as id from spendable_campaigns kept
    full join list_spendable(array(select id from campaigns where status = 'active')) fresh on fresh.campaign_id = kept.campaign_id
    where (kept.advertiser_id, kept.days, kept.cents) is distinct from (fresh.advertiser_id, fresh.days, fresh.cents)`,
  "what an advertiser can spend differs from the sum of its campaigns": sql`
    select coalesce(kept.advertiser_id, summed.advertiser_id) || ' ' || coalesce(kept.day, summed.day) as id from spendable_changes kept full join (
      select part.advertiser_id, change.day, sum(change.cents) as cents from spendable_campaigns part cross join unnest(part.days, part.cents) as change (day, cents)
      group by 1, 2 having sum(change.cents) <> 0
    ) summed on (summed.advertiser_id, summed.day) = (kept.advertiser_id, kept.day) where kept.cents is distinct from summed.cents`,
  "publisher earnings differ from their share of the spend": sql`
    select known.line_item_id::text as id from line_item_settlements known join line_items item on item.id = known.line_item_id
    where known.earnings_cents <> known.spend_cents * item.commission_rate_bps / 10000`,
  "advertiser transactions differ from the ledger": sql`
    select coalesce(said.account_id, posted.owner_id)::text as id
    from (select account_id, sum(amount_cents) as cents from transactions where type = 'campaign_spend' and status = 'succeeded' group by 1) said
    full join (
      select account.owner_id, sum(entry.amount_cents) as cents from ledger_entries entry
      join ledger_accounts account on account.id = entry.account_id and account.kind in ('advertiser_wallet', 'advertiser_receivable')
      join ledger_transactions transaction on transaction.id = entry.transaction_id and transaction.event = 'campaign_spend' group by 1
    ) posted on posted.owner_id = said.account_id where said.cents is distinct from posted.cents`,
  "settled spend of an advertiser is not the sum of its transactions": sql`
    select coalesce(kept.advertiser_id, said.account_id)::text as id from settled_spend kept
    full join (select account_id, sum(amount_cents) as cents from transactions where type = 'campaign_spend' and status = 'succeeded' group by 1) said on said.account_id = kept.advertiser_id
    where coalesce(kept.cents, 0) <> coalesce(said.cents, 0)`,
  "refund differs from the publisher debit and advertiser credit": sql`
    select coalesce(given.id, share.refund_id)::text as id from refunds given full join revenue_shares share on share.refund_id = given.id
    left join transactions line on line.ledger_transaction_id = given.ledger_transaction_id and line.type = 'refund'
    where given.id is not null and (share.line_item_id, -share.spend_cents, -share.earnings_cents, line.amount_cents, share.ledger_transaction_id)
        is distinct from (given.line_item_id, given.amount_cents, given.earnings_cents, given.amount_cents, given.ledger_transaction_id)
      or given.id is null and share.refund_id is not null`,
  "line item refunds exceed its settled spend": sql`
    select given.line_item_id::text as id from (
      select line_item_id, sum(amount_cents) as cents, sum(earnings_cents) as earnings, sum(amount_cents) filter (where revision is null) as granted from refunds group by 1
    ) given left join line_item_settlements known using (line_item_id) join line_items item on item.id = given.line_item_id
    where given.cents <> least(given.granted, coalesce(known.spend_cents, 0)) or given.earnings <> div(given.cents * item.commission_rate_bps, 10000)`,
  // Rows reported since the last settlement wait for the next one. Both offsets keep the facts of each line item that
  // differs from being joined with those of all others.
  "delivery through the settled date differs from the settlement": sql`
    select known.line_item_id::text as id from line_item_settlements known
    left join (
      select settled.line_item_id, sum(day.spend_micros) as micros from line_item_settlements settled
      join line_item_days day on day.line_item_id = settled.line_item_id and day.day <= settled.settled_through group by 1
    ) delivered using (line_item_id)
    where known.spend_cents <> div(coalesce(delivered.micros, 0), 10000) and not exists (
      select from line_item_months delivered cross join lateral (
        select fact.report_id from line_item_audience_days fact where fact.line_item_id = delivered.line_item_id
          and fact.day >= delivered.month and fact.day < (delivered.month + interval '1 month')::date offset 0
      ) fact join delivery_reports report on report.id = fact.report_id where delivered.line_item_id = known.line_item_id
        and report.received_at >= (select max(share.created_at) from revenue_shares share where share.line_item_id = known.line_item_id and share.refund_id is null) offset 0)`,
} satisfies Record<string, SQL>;
