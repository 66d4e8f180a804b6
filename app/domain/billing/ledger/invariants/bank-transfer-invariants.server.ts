import { type SQL, sql } from "drizzle-orm";
import { balanceReturns, repayments } from "#db/schema/index.ts";
import {
  balanceReturnKind,
  repaymentKind,
  type TransferKind,
  type TransferTable,
} from "../../bank-transfers/transfer-kinds.server.ts";

/** The invariants of the bank transfers that operators record. Each query selects the violations. */
export const bankTransferInvariants = {
  "repayment differs from its transaction and the ledger": differsFromBooks(
    repayments,
    sql`coalesce(known.publisher_id, known.advertiser_id)`,
    repaymentKind,
  ),
  "repayment reversal differs from what it reverses": sql`${differsFromReversed(repayments)}
    union all select reversal.id::text from repayments reversal join repayments reversed on reversed.id = reversal.reverses_id
    where reversal.advertiser_id is distinct from reversed.advertiser_id`,
  "repayment was recorded twice without a reversal between": isRecordedTwice(repayments),
  "repayment differs from its payout": sql`
    select repayment.id::text as id from repayments repayment join payout_lines line on line.repayment_id = repayment.id
    join payouts payout on payout.id = line.payout_id
    group by repayment.id having count(*) filter (where payout.status <> 'failed') > 1 or bool_or(line.amount_cents <> repayment.amount_cents)`,
  "repayment was recorded for an advertiser that is not closed": sql`
    select repayment.id::text as id from repayments repayment join accounts account on account.id = repayment.advertiser_id where account.closed_at is null`,
  "balance return differs from its transaction and the ledger": differsFromBooks(
    balanceReturns,
    sql`known.account_id`,
    balanceReturnKind,
  ),
  "balance return reversal differs from what it reverses": differsFromReversed(balanceReturns),
  "balance return was recorded twice without a reversal between": isRecordedTwice(balanceReturns),
  "balance was returned to an account that is not closed": sql`
    select returned.id::text as id from balance_returns returned join accounts account on account.id = returned.account_id where account.closed_at is null`,
} satisfies Record<string, SQL>;

/**
 * Selects transfers and reversals whose ledger entries, transaction or account differ, and ledger entries without a
 * transfer. `owner` is the account that a transfer was received from or sent to.
 */
function differsFromBooks(
  table: TransferTable,
  owner: SQL,
  { direction, recorded, reversed }: Pick<TransferKind<unknown>, "direction" | "recorded" | "reversed">,
): SQL {
  const sign = sql.raw(direction === "received" ? "" : "-");
  return sql`
    select coalesce(transfer.id::text, posted.event_key) as id from (
      select known.id, known.ledger_transaction_id, account.id as owner_id, account.type as owner_type, ${sign}known.amount_cents as received,
        case when known.reverses_id is null then ${recorded.event}::text else ${reversed.event}::text end || '/' || known.id as event_key, line.amount_cents as line_cents, line.type, line.status
      from ${table} known join accounts account on account.id = ${owner}
      left join transactions line on line.ledger_transaction_id = known.ledger_transaction_id and line.account_id = account.id
    ) transfer full join (
      select transaction.id, transaction.event_key, max(account.owner_id::text)::uuid as owner_id, sum(entry.amount_cents) filter (where account.kind = 'cash') as cents,
        sum(entry.amount_cents) filter (where account.kind in ('advertiser_wallet', 'advertiser_receivable')) as funds, sum(entry.amount_cents) filter (where account.kind = 'publisher_payable') as payable
      from ledger_transactions transaction join ledger_entries entry on entry.transaction_id = transaction.id
      join ledger_accounts account on account.id = entry.account_id where transaction.event in (${recorded.event}, ${reversed.event}) group by 1
    ) posted on posted.id = transfer.ledger_transaction_id
    where (transfer.owner_id, transfer.received, -transfer.received, transfer.event_key)
        is distinct from (posted.owner_id, posted.cents, case transfer.owner_type when 'publisher' then posted.payable else posted.funds end, posted.event_key)
      or (case transfer.owner_type when 'publisher' then -transfer.received else transfer.received end, 'adjustment', 'succeeded') is distinct from (transfer.line_cents, transfer.type, transfer.status)`;
}

function differsFromReversed(table: TransferTable): SQL {
  return sql`
    select reversal.id::text as id from ${table} reversal left join ${table} reversed on reversed.id = reversal.reverses_id
    where reversal.reverses_id is not null and (reversed.reference, reversed.occurrence, reversed.amount_cents) is distinct from (reversal.reference, reversal.occurrence, -reversal.amount_cents)`;
}

function isRecordedTwice(table: TransferTable): SQL {
  return sql`
    select transfer.reference as id from ${table} transfer
    where transfer.reverses_id is null and not exists (select from ${table} reversal where reversal.reverses_id = transfer.id)
    group by 1 having count(*) > 1`;
}
