import { sql } from "drizzle-orm";
import { check, foreignKey, integer, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AccountId, BalanceReturnId, LedgerTransactionId } from "#app/domain/ids.ts";
import { cents, instant, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { ledgerTransactions } from "./ledger.ts";

/**
 * Money that we sent back to a closed account by bank transfer, from an advertiser's wallet or a publisher's unpaid
 * earnings, once per reference of the bank. A reversal is a row with the negative amount of the one that it reverses,
 * after which the reference can be recorded again. Insert-only.
 */
export const balanceReturns = pgTable(
  "balance_returns",
  {
    id: primaryId<BalanceReturnId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    reference: text("reference").notNull(),
    /** How often the reference was recorded, with this one: once more after each reversal. */
    occurrence: integer("occurrence").notNull(),
    /** The return that this row reverses. */
    reversesId: uuid("reverses_id").$type<BalanceReturnId>(),
    amountCents: cents("amount_cents").notNull(),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("balance_returns_account").on(table.accountId, table.id),
    uniqueIndex("balance_returns_recorded_once")
      .on(table.reference, table.occurrence)
      .where(sql`${table.reversesId} is null`),
    uniqueIndex("balance_returns_reversed_once").on(table.reversesId).where(sql`${table.reversesId} is not null`),
    foreignKey({
      name: "balance_returns_reversal",
      columns: [table.accountId, table.reversesId],
      foreignColumns: [table.accountId, table.id],
    }),
    check(
      "balance_returns_amount",
      sql`${table.amountCents} <> 0 and (${table.amountCents} < 0) = (${table.reversesId} is not null)`,
    ),
    check("balance_returns_occurrence", sql`${table.occurrence} > 0`),
    check("balance_returns_named", sql`${table.reference} <> ''`),
  ],
);
