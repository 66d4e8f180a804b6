import { type SQL, sql } from "drizzle-orm";

/** The invariants of what was sent back to closed accounts. Each query selects the violations. */
export const balanceReturnInvariants = {
  "balance return differs from its transaction and the ledger": sql`
    select coalesce(returned.id::text, posted.event_key) as id from (
      select known.*, account.type as account_type, line.amount_cents as line_cents, line.type, line.status from balance_returns known
      join accounts account on account.id = known.account_id
      left join transactions line on line.ledger_transaction_id = known.ledger_transaction_id and line.account_id = known.account_id
    ) returned full join (
      select transaction.id, transaction.event_key, max(account.owner_id::text)::uuid as owner_id, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents,
        sum(entry.amount_cents) filter (where account.kind = 'advertiser_wallet') as wallet, sum(entry.amount_cents) filter (where account.kind = 'publisher_payable') as payable
      from ledger_transactions transaction join ledger_entries entry on entry.transaction_id = transaction.id
      join ledger_accounts account on account.id = entry.account_id where transaction.event in ('balance_returned', 'balance_return_reversed') group by 1
    ) posted on posted.id = returned.ledger_transaction_id
    where (returned.account_id, -returned.amount_cents, returned.amount_cents, case when returned.reverses_id is null then 'balance_returned/' else 'balance_return_reversed/' end || returned.id)
        is distinct from (posted.owner_id, posted.cents, case returned.account_type when 'publisher' then posted.payable else posted.wallet end, posted.event_key)
      or (case returned.account_type when 'publisher' then returned.amount_cents else -returned.amount_cents end, 'adjustment', 'succeeded') is distinct from (returned.line_cents, returned.type, returned.status)`,
  "balance return reversal differs from what it reverses": sql`
    select reversal.id::text as id from balance_returns reversal left join balance_returns reversed on reversed.id = reversal.reverses_id
    where reversal.reverses_id is not null and (reversed.reference, reversed.occurrence, reversed.amount_cents) is distinct from (reversal.reference, reversal.occurrence, -reversal.amount_cents)`,
  "balance return was recorded twice without a reversal between": sql`
    select returned.reference as id from balance_returns returned
    where returned.reverses_id is null and not exists (select from balance_returns reversal where reversal.reverses_id = returned.id)
    group by 1 having count(*) > 1`,
  "balance was returned to an account that is not closed": sql`
    select returned.id::text as id from balance_returns returned join accounts account on account.id = returned.account_id where account.closed_at is null`,
} satisfies Record<string, SQL>;
