import { hash } from "node:crypto";
import { inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { ledgerTransactions } from "#db/schema/index.ts";
import { firstDayOf } from "../../calendar-month.ts";
import type { Ctx } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { type LedgerTransactionId, newId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { creditInvoices } from "../invoices/credit-invoices.server.ts";
import type { LedgerLeg, LedgerPosting } from "./ledger.ts";
import { type LockedLedgerAccounts, ledgerAccountKey } from "./ledger-accounts.server.ts";

const postedRow = z.object({ id: columnValue(ledgerTransactions.id), key: columnValue(ledgerTransactions.eventKey) });

/**
 * Posts transactions within the caller's transaction, on accounts that it locked. Returns the ID of each new
 * transaction by its event key; events that were already posted are skipped. Throws `idempotency_conflict` when an
 * event was posted with other legs. A reduced receivable also credits the open invoices. The database rejects
 * unbalanced transactions at commit.
 */
export async function postToLedger(
  ctx: Ctx,
  { postings, accounts }: { postings: readonly LedgerPosting[]; accounts: LockedLedgerAccounts },
): Promise<Map<string, LedgerTransactionId>> {
  const rows = postings.map((posting) => ({
    ...posting,
    id: newId<LedgerTransactionId>(),
    hash: hashLegs(posting),
    adjusts: posting.adjustsMonth ? firstDayOf(posting.adjustsMonth) : null,
  }));
  if (rows.length === 0) return new Map();
  const posted = await queryRows(
    ctx.db,
    postedRow,
    sql`
      insert into ledger_transactions (id, event, event_key, legs_hash, adjusts_month, posted_at)
      select id, event, key, hash, adjusts, ${ctx.clock().toISOString()}::timestamptz
      from json_to_recordset(${JSON.stringify(rows.map(({ id, event, eventKey, hash, adjusts }) => ({ id, event, key: eventKey, hash, adjusts })))}::json)
        as posting (id uuid, event text, key text, hash text, adjusts date)
      order by key on conflict (event_key) do nothing returning id, event_key as key`,
  );
  const ids = new Map(posted.map(({ key, id }) => [key, id]));
  await requireSameLegs(
    ctx,
    rows.filter(({ eventKey }) => !ids.has(eventKey)),
  );
  const entries = rows.filter(({ eventKey }) => ids.has(eventKey)).flatMap((row) => entriesOf(row, accounts));
  await ctx.db.execute(sql`
    insert into ledger_entries (transaction_id, number, account_id, amount_cents)
    select * from json_to_recordset(${JSON.stringify(entries)}::json)
      as entry (transaction_id uuid, number smallint, account_id uuid, amount_cents bigint)`);
  const reductions = rows
    .filter(({ eventKey }) => ids.has(eventKey))
    .flatMap(({ legs }) => legs.filter(reducesReceivable));
  await creditInvoices(ctx, [...new Set(reductions.flatMap(({ ownerId }) => ownerId ?? []))]);
  return ids;
}

function reducesReceivable({ account, amount }: LedgerLeg): boolean {
  return account === "advertiser_receivable" && amount < 0;
}

function entriesOf({ id, legs }: LedgerPosting & { id: LedgerTransactionId }, accounts: LockedLedgerAccounts) {
  return legs.map((leg, index) => {
    const key = ledgerAccountKey(leg);
    const account = accounts.get(key);
    invariant(account, "ledger account was not locked before posting", { key, ledgerTransactionId: id });
    return { transaction_id: id, number: index + 1, account_id: account.id, amount_cents: leg.amount };
  });
}

/** Throws `idempotency_conflict` when one of these events was posted with other legs. */
async function requireSameLegs(ctx: Ctx, repeated: readonly { eventKey: string; hash: string }[]): Promise<void> {
  if (repeated.length === 0) return;
  const keys = repeated.map(({ eventKey }) => eventKey);
  const existing = await ctx.db
    .select({ key: ledgerTransactions.eventKey, hash: ledgerTransactions.legsHash })
    .from(ledgerTransactions)
    .where(inArray(ledgerTransactions.eventKey, keys));
  const hashes = new Map(existing.map(({ key, hash }) => [key, hash]));
  if (repeated.some(({ eventKey, hash }) => hashes.get(eventKey) !== hash)) {
    throw new DomainError("idempotency_conflict", "This transaction was already posted with different amounts");
  }
}

function hashLegs({ event, adjustsMonth, legs }: LedgerPosting): string {
  const lines = legs.map((leg) => `${ledgerAccountKey(leg)} ${leg.amount}`);
  const head = adjustsMonth ? `${event} ${adjustsMonth}` : event;
  return hash("sha256", [head, ...lines].join("\n"));
}
