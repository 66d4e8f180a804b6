import { type SQL, sql } from "drizzle-orm";

/**
 * The invariants of the ledger itself: accounts, transactions, and what is summed from their entries or has the same
 * sum. Each query selects the violations.
 */
export const postingInvariants = {
  "ledger accounts do not sum to zero": sql`
    select 'all accounts: ' || sum(balance_cents) as id from ledger_accounts having sum(balance_cents) <> 0`,
  "account balance differs from the sum of its entries": sql`
    select account.kind || ' ' || account.id as id from ledger_accounts account
    left join (select account_id, sum(amount_cents) as cents from ledger_entries group by 1) entries on entries.account_id = account.id
    where account.balance_cents <> coalesce(entries.cents, 0)`,
  "advertiser balance differs from the sum of its transactions": sql`
    select coalesce(booked.owner_id, said.account_id)::text as id
    from (select owner_id, -sum(balance_cents) as cents from ledger_accounts where kind in ('advertiser_wallet', 'advertiser_receivable') group by 1) booked full join (
      select line.account_id, sum(case line.type when 'campaign_spend' then -line.amount_cents else line.amount_cents end) as cents
      from transactions line join accounts account on account.id = line.account_id and account.type = 'advertiser' where line.status = 'succeeded' group by 1
    ) said on said.account_id = booked.owner_id where coalesce(booked.cents, 0) <> coalesce(said.cents, 0)`,
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
} satisfies Record<string, SQL>;
