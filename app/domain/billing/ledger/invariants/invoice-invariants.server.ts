import { type SQL, sql } from "drizzle-orm";

/** The invariants of invoices. Each query selects the violations. */
export const invoiceInvariants = {
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
  "advertiser receivable is less than its invoices' amount due": sql`
    select open.advertiser_id::text as id from (select advertiser_id, sum(open_cents) as cents from invoices group by 1) open
    left join ledger_accounts debt on debt.owner_id = open.advertiser_id and debt.kind = 'advertiser_receivable' where coalesce(debt.balance_cents, 0) < open.cents`,
  "gap in invoice numbers": sql`
    select 'after ' || min(number - place) as id from (select number, row_number() over (order by number) as place from invoices) numbered
    having max(number) <> count(*) or max(number) is distinct from (select last from invoice_numbers)`,
} satisfies Record<string, SQL>;
