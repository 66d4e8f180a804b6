import { type SQL, sql } from "drizzle-orm";

/** The invariants of payouts and their lines. Each query selects the violations. */
export const payoutInvariants = {
  "plan payment from earnings is missing from its payout": sql`
    select coalesce(netted.id, line.plan_offset_id)::text as id from (select * from plan_offsets where payout_id is not null) netted
    full join (select line.* from payout_lines line join payouts payout on payout.id = line.payout_id where payout.status <> 'failed' and line.plan_offset_id is not null) line
      on line.plan_offset_id = netted.id and line.payout_id = netted.payout_id
    where netted.id is null or -netted.amount_cents is distinct from line.amount_cents`,
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
  "publisher balance differs from earnings not yet paid out": sql`
    select coalesce(owed.owner_id, free.publisher_id)::text as id from (select owner_id, -balance_cents as cents from ledger_accounts where kind = 'publisher_payable') owed
    full join (select publisher_id, sum(cents) as cents from (
      select publisher_id, earnings_cents as cents from revenue_shares where payout_id is null union all select publisher_id, -amount_cents from plan_offsets where payout_id is null
      union all select repayment.publisher_id, repayment.amount_cents from repayments repayment where repayment.publisher_id is not null and not exists (
        select from payout_lines line join payouts payout on payout.id = line.payout_id where line.repayment_id = repayment.id and payout.status <> 'failed')
      union all select returned.account_id, -returned.amount_cents from balance_returns returned join accounts account on account.id = returned.account_id and account.type = 'publisher'
    ) each group by 1) free on free.publisher_id = owed.owner_id
    where coalesce(owed.cents, 0) <> coalesce(free.cents, 0)`,
  "payout differs from its transaction": sql`
    select payout.id::text as id from payouts payout left join transactions line on line.payout_id = payout.id
    where (line.amount_cents, line.type) is distinct from (payout.amount_cents, 'payout')
      or line.status <> case when payout.status = 'paid' or payout.returned_at is not null then 'succeeded' when payout.status = 'failed' then 'failed' else 'pending' end`,
} satisfies Record<string, SQL>;
