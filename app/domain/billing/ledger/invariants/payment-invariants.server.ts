import { type SQL, sql } from "drizzle-orm";

/**
 * The invariants of payments by advertisers and for plans, and of their reversals. Each query selects the violations.
 */
export const paymentInvariants = {
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
} satisfies Record<string, SQL>;
