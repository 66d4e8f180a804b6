import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { Ctx, JobActor, OperatorActor } from "../../context.ts";

/** The invariants of the ledger and of everything derived from it. Each query selects the violations. */
export const ledgerInvariants = {
  "ledger accounts do not sum to zero": sql`
    select 'all accounts: ' || sum(balance_cents) as id from ledger_accounts having sum(balance_cents) <> 0`,
  "account balance differs from the sum of its entries": sql`
    select account.kind || ' ' || account.id as id from ledger_accounts account
    left join (select account_id, sum(amount_cents) as cents from ledger_entries group by 1) entries on entries.account_id = account.id
    where account.balance_cents <> coalesce(entries.cents, 0)`,
  "statement line differs from the entries of its transaction": sql`
    select coalesce(kept.transaction_id, summed.transaction_id)::text as id from statement_lines kept full join (
      select account.owner_id, posted.posted_at, posted.id as transaction_id, -sum(entry.amount_cents) as cents from ledger_entries entry
      join ledger_accounts account on account.id = entry.account_id and account.owner_id is not null join ledger_transactions posted on posted.id = entry.transaction_id group by 1, 2, 3
    ) summed on (summed.owner_id, summed.posted_at, summed.transaction_id) = (kept.owner_id, kept.posted_at, kept.transaction_id)
    where kept.amount_cents is distinct from summed.cents`,
  "month of a ledger account differs from its entries": sql`
    select coalesce(kept.account_id, summed.account_id) || ' ' || coalesce(kept.month, summed.month) as id from ledger_account_months kept full join (
      select entry.account_id, date_trunc('month', posted.posted_at at time zone 'UTC')::date as month, sum(entry.amount_cents) as cents from ledger_entries entry
      join ledger_accounts account on account.id = entry.account_id and account.owner_id is not null join ledger_transactions posted on posted.id = entry.transaction_id group by 1, 2
    ) summed on (summed.account_id, summed.month) = (kept.account_id, kept.month) where kept.amount_cents is distinct from summed.cents`,
  "unbalanced transaction": sql`
    select posted.event_key as id from ledger_transactions posted left join ledger_entries entry on entry.transaction_id = posted.id
    group by posted.id having count(entry.number) < 2 or sum(entry.amount_cents) <> 0`,
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
  "top-up differs from its transaction and the ledger": sql`
    select t.id::text as id from top_ups t join transactions line on line.id = t.transaction_id
    where (line.type, line.amount_cents, line.account_id) is distinct from (case when t.invoice_id is null then 'top_up' else 'adjustment' end, t.amount_cents, t.account_id)
      or line.status <> case when t.status = 'needs_confirmation' then 'pending' else t.status end
    union all select coalesce(t.id::text, posted.event_key) from (select * from top_ups where status = 'succeeded') t
    full join (
      select transaction.event_key, max(account.owner_id::text)::uuid as owner_id, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents
      from ledger_transactions transaction join ledger_entries entry on entry.transaction_id = transaction.id
      join ledger_accounts account on account.id = entry.account_id where transaction.event = 'top_up' or transaction.event = 'invoice_paid' and transaction.event_key not like '%/operator' group by 1
    ) posted on posted.event_key = coalesce('invoice_paid/' || t.invoice_id, 'top_up') || '/' || t.provider || '/' || t.payment_id
    where (t.account_id, t.amount_cents) is distinct from (posted.owner_id, posted.cents)`,
  "plan payment differs from its transaction and the ledger": sql`
    select change.id::text as id from plan_changes change join transactions line on line.id = change.transaction_id
    where (line.type, line.amount_cents, line.account_id) is distinct from ('subscription', change.amount_cents, change.account_id)
      or line.status <> case when change.status = 'needs_confirmation' then 'pending' else change.status end
    union all select coalesce(paid.id::text, posted.event_key) from (
      select change.*, line.ledger_transaction_id,
        'subscription/' || change.subscription_id || '/' || to_char(change.period_started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '/' || change.plan_type as period_key
      from plan_changes change join transactions line on line.id = change.transaction_id where change.status = 'succeeded'
    ) paid full join (
      select transaction.id, transaction.event_key, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents, sum(entry.amount_cents) filter (where account.kind = 'subscription_revenue') as earned,
        sum(entry.amount_cents) filter (where account.kind = 'publisher_payable') as netted, max(account.owner_id::text)::uuid as owner_id
      from ledger_transactions transaction join ledger_entries entry on entry.transaction_id = transaction.id
      join ledger_accounts account on account.id = entry.account_id where transaction.event = 'subscription' group by 1
    ) posted on posted.id = paid.ledger_transaction_id
    where (paid.amount_cents, -paid.amount_cents) is distinct from (case when paid.paid_from_earnings then posted.netted else posted.cents end, posted.earned)
      or posted.owner_id is distinct from case when paid.paid_from_earnings then paid.account_id end
      or posted.event_key not in (paid.period_key, paid.period_key || '/' || paid.id)`,
  "plan payment from earnings differs from the earnings deducted": sql`
    select coalesce(paid.id, netted.plan_change_id)::text as id from (
      select change.*, line.ledger_transaction_id from plan_changes change join transactions line on line.id = change.transaction_id where change.paid_from_earnings and change.status = 'succeeded'
    ) paid full join plan_offsets netted on netted.plan_change_id = paid.id
    where (paid.account_id, paid.amount_cents, paid.ledger_transaction_id) is distinct from (netted.publisher_id, netted.amount_cents, netted.ledger_transaction_id)`,
  "plan payment from earnings is missing from its payout": sql`
    select coalesce(netted.id, line.plan_offset_id)::text as id from (select * from plan_offsets where payout_id is not null) netted
    full join (select line.* from payout_lines line join payouts payout on payout.id = line.payout_id where payout.status <> 'failed' and line.plan_offset_id is not null) line
      on line.plan_offset_id = netted.id and line.payout_id = netted.payout_id
    where netted.id is null or -netted.amount_cents is distinct from line.amount_cents`,
  "invoice amount differs from the sum of its line items": sql`
    select invoice.id::text as id from invoices invoice left join (select invoice_id, sum(amount_cents) as cents from invoice_lines group by 1) lines on lines.invoice_id = invoice.id
    where invoice.amount_cents is distinct from lines.cents`,
  "invoice amount due differs from amount minus payments and credits": sql`
    select invoice.id::text as id from invoices invoice left join (
      select split_part(posted.event_key, '/', 2)::uuid as invoice_id, sum(entry.amount_cents) as cents from ledger_transactions posted
      join ledger_entries entry on entry.transaction_id = posted.id join ledger_accounts account on account.id = entry.account_id and account.kind = 'advertiser_receivable'
      where posted.event = 'invoice_paid' group by 1
    ) paid on paid.invoice_id = invoice.id left join (select invoice_id, sum(amount_cents) as cents from invoice_credits group by 1) credits on credits.invoice_id = invoice.id
    where invoice.open_cents <> invoice.amount_cents + coalesce(paid.cents, 0) - coalesce(credits.cents, 0) + invoice.reopened_cents`,
  "reopened invoice amount differs from its reversed payments": sql`
    select invoice.id::text as id from invoices invoice left join (
      select paid.invoice_id, sum(reversal.reopened_cents) as cents from payment_reversals reversal join top_ups paid on paid.id = reversal.top_up_id group by 1
    ) reversal on reversal.invoice_id = invoice.id where invoice.reopened_cents <> coalesce(reversal.cents, 0)`,
  "reversal differs from its transaction and the ledger": sql`
    select coalesce(reversal.id::text, posted.event_key) as id from (
      select reversal.*, line.amount_cents as line_cents, line.type, line.status from payment_reversals reversal
      left join transactions line on line.ledger_transaction_id = reversal.ledger_transaction_id and line.account_id = reversal.account_id
    ) reversal full join (
      select transaction.id, transaction.event_key, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents, max(account.owner_id::text)::uuid as owner_id
      from ledger_transactions transaction join ledger_entries entry on entry.transaction_id = transaction.id
      join ledger_accounts account on account.id = entry.account_id where transaction.event in ('payment_reversed', 'payment_reinstated') group by 1
    ) posted on posted.id = reversal.ledger_transaction_id
    where (-reversal.amount_cents, -reversal.amount_cents, 'adjustment', 'succeeded') is distinct from (posted.cents, reversal.line_cents, reversal.type, reversal.status)
      or posted.event_key is distinct from case when reversal.amount_cents > 0 then 'payment_reversed' else 'payment_reinstated' end || '/' || reversal.provider || '/' || reversal.reference || '/' || reversal.number
      or posted.owner_id is distinct from case when reversal.top_up_id is not null then reversal.account_id end
    union all select coalesce(paid.id, reversal.payment_id)::text from (
      select id, reversed_cents from top_ups where reversed_cents > 0 union all select id, reversed_cents from plan_changes where reversed_cents > 0
    ) paid full join (select coalesce(top_up_id, plan_change_id) as payment_id, sum(amount_cents) as cents from payment_reversals group by 1 having sum(amount_cents) <> 0) reversal
      on reversal.payment_id = paid.id where paid.reversed_cents is distinct from reversal.cents
    union all select reference from payment_reversals group by provider, reference having sum(amount_cents) < 0`,
  "advertiser receivable is less than its invoices' amount due": sql`
    select open.advertiser_id::text as id from (select advertiser_id, sum(open_cents) as cents from invoices group by 1) open
    left join ledger_accounts debt on debt.owner_id = open.advertiser_id and debt.kind = 'advertiser_receivable' where coalesce(debt.balance_cents, 0) < open.cents`,
  "gap in invoice numbers": sql`
    select 'after ' || min(number - place) as id from (select number, row_number() over (order by number) as place from invoices) numbered
    having max(number) <> count(*) or max(number) is distinct from (select last from invoice_numbers)`,
  "payout differs from the sum of its line items": sql`
    select payout.id::text as id from payouts payout left join (select payout_id, sum(amount_cents) as cents from payout_lines group by 1) lines on lines.payout_id = payout.id
    where payout.amount_cents is distinct from lines.cents`,
  "payout line item differs from its revenue share": sql`
    select line.payout_id || ' ' || line.number as id from payout_lines line join revenue_shares share on share.id = line.revenue_share_id
    where line.amount_cents <> share.earnings_cents`,
  "revenue share is missing from its payout": sql`
    select coalesce(share.id, line.revenue_share_id)::text as id from (select id, payout_id, status from revenue_shares where payout_id is not null) share
    full join (select line.revenue_share_id, line.payout_id, payout.status from payout_lines line join payouts payout on payout.id = line.payout_id where payout.status <> 'failed' and line.revenue_share_id is not null) line
      on line.revenue_share_id = share.id and line.payout_id = share.payout_id
    where share.id is null or line.revenue_share_id is null or (share.status = 'paid') <> (line.status = 'paid')`,
  "payout differs from the ledger": sql`
    select payout.id::text as id from payouts payout left join (
      select split_part(posted.event_key, '/', 2)::uuid as payout_id, string_agg(posted.event, ' ' order by posted.event desc) as events,
        sum(entry.amount_cents) filter (where account.kind = 'in_transit' and posted.event = 'payout_started') as started,
        sum(entry.amount_cents) filter (where account.kind = 'in_transit') as left_over
      from ledger_transactions posted join ledger_entries entry on entry.transaction_id = posted.id join ledger_accounts account on account.id = entry.account_id and account.kind = 'in_transit'
      where posted.event in ('payout_started', 'payout_settled', 'payout_failed') group by 1
    ) said on said.payout_id = payout.id
    where -payout.amount_cents is distinct from said.started
      or said.events <> case when payout.status = 'paid' or payout.returned_at is not null then 'payout_started payout_settled' when payout.status = 'failed' then 'payout_started payout_failed' else 'payout_started' end
      or said.left_over <> case when payout.status in ('paid', 'failed') then 0 else -payout.amount_cents end
    union all select coalesce(payout.id::text, said.event_key) from (select * from payouts where returned_at is not null) payout full join (
      select posted.event_key, max(account.owner_id::text)::uuid as owner_id, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents
      from ledger_transactions posted join ledger_entries entry on entry.transaction_id = posted.id join ledger_accounts account on account.id = entry.account_id where posted.event = 'payout_returned' group by 1
    ) said on said.event_key = 'payout_returned/' || payout.id where (payout.publisher_id, payout.amount_cents) is distinct from (said.owner_id, said.cents)`,
  "repayment differs from its transaction and the ledger": sql`
    select coalesce(repayment.id::text, posted.event_key) as id from (
      select repayment.*, line.amount_cents as line_cents, line.type, line.status from repayments repayment
      left join transactions line on line.ledger_transaction_id = repayment.ledger_transaction_id and line.account_id = repayment.publisher_id
    ) repayment full join (
      select transaction.id, transaction.event_key, max(account.owner_id::text)::uuid as owner_id, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents,
        sum(entry.amount_cents) filter (where account.kind = 'publisher_payable') as payable
      from ledger_transactions transaction join ledger_entries entry on entry.transaction_id = transaction.id
      join ledger_accounts account on account.id = entry.account_id where transaction.event in ('repayment', 'repayment_reversed') group by 1
    ) posted on posted.id = repayment.ledger_transaction_id
    where (repayment.publisher_id, repayment.amount_cents, -repayment.amount_cents, case when repayment.reverses_id is null then 'repayment/' else 'repayment_reversed/' end || repayment.id) is distinct from (posted.owner_id, posted.cents, posted.payable, posted.event_key)
      or (-repayment.amount_cents, 'adjustment', 'succeeded') is distinct from (repayment.line_cents, repayment.type, repayment.status)`,
  "repayment reversal differs from what it reverses": sql`
    select reversal.id::text as id from repayments reversal left join repayments reversed on reversed.id = reversal.reverses_id
    where reversal.reverses_id is not null and (reversed.reference, reversed.occurrence, reversed.amount_cents) is distinct from (reversal.reference, reversal.occurrence, -reversal.amount_cents)`,
  "repayment was recorded twice without a reversal between": sql`
    select repayment.reference as id from repayments repayment
    where repayment.reverses_id is null and not exists (select from repayments reversal where reversal.reverses_id = repayment.id)
    group by 1 having count(*) > 1`,
  "repayment differs from its payout": sql`
    select repayment.id::text as id from repayments repayment join payout_lines line on line.repayment_id = repayment.id
    join payouts payout on payout.id = line.payout_id
    group by repayment.id having count(*) filter (where payout.status <> 'failed') > 1 or bool_or(line.amount_cents <> repayment.amount_cents)`,
  "publisher balance differs from earnings not yet paid out": sql`
    select coalesce(owed.owner_id, free.publisher_id)::text as id from (select owner_id, -balance_cents as cents from ledger_accounts where kind = 'publisher_payable') owed
    full join (select publisher_id, sum(cents) as cents from (
      select publisher_id, earnings_cents as cents from revenue_shares where payout_id is null union all select publisher_id, -amount_cents from plan_offsets where payout_id is null
      union all select repayment.publisher_id, repayment.amount_cents from repayments repayment where not exists (
        select from payout_lines line join payouts payout on payout.id = line.payout_id where line.repayment_id = repayment.id and payout.status <> 'failed')
    ) each group by 1) free on free.publisher_id = owed.owner_id
    where coalesce(owed.cents, 0) <> coalesce(free.cents, 0)`,
  "payout differs from its transaction": sql`
    select payout.id::text as id from payouts payout left join transactions line on line.payout_id = payout.id
    where (line.amount_cents, line.type) is distinct from (payout.amount_cents, 'payout')
      or line.status <> case when payout.status = 'paid' or payout.returned_at is not null then 'succeeded' when payout.status = 'failed' then 'failed' else 'pending' end`,
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
  // Rows reported since the last settlement wait for the next one. Both offsets keep the facts of each line item that differs
  // from being joined with those of all others.
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

export type LedgerViolation = { rule: keyof typeof ledgerInvariants; found: string[] };

const caseRow = z.object({ id: z.string() });

/** Checks the whole ledger in one snapshot. Returns the violated invariants with up to 20 cases each. */
export async function checkLedger(ctx: Ctx<JobActor | OperatorActor>): Promise<LedgerViolation[]> {
  return ctx.db.transaction(
    async (tx) => {
      const violations: LedgerViolation[] = [];
      for (const rule of Object.keys(ledgerInvariants).filter(isRule)) {
        const rows = await queryRows(tx, caseRow, sql`select id from (${ledgerInvariants[rule]}) cases limit 20`);
        if (rows.length > 0) violations.push({ rule, found: rows.map(({ id }) => id) });
      }
      return violations;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

function isRule(name: string): name is keyof typeof ledgerInvariants {
  return name in ledgerInvariants;
}
