import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type PaymentProviderName, paymentProviders } from "#app/domain/billing/payments/payment-method.ts";
import { type TakenBackReason, takenBackReasons } from "#app/domain/billing/taken-back/taken-back.ts";
import type { AccountId, LedgerTransactionId, PlanChangeId, TakenBackId, TopUpId } from "#app/domain/ids.ts";
import { planChanges } from "./billing.ts";
import { cents, instant, oneOf, primaryId } from "./columns.ts";
import { ledgerTransactions } from "./ledger.ts";
import { topUps } from "./wallets.ts";

/**
 * What of a payment went back past our books, and came again: above 0 it was taken, below 0 it was reinstated. `number` counts the
 * steps of one dispute or refund (the provider's `reference`). Only ever inserted.
 */
export const paymentsTakenBack = pgTable(
  "payments_taken_back",
  {
    id: primaryId<TakenBackId>(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    topUpId: uuid("top_up_id").$type<TopUpId>(),
    planChangeId: uuid("plan_change_id").$type<PlanChangeId>(),
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    reference: text("reference").notNull(),
    number: integer("number").notNull(),
    reason: text("reason").$type<TakenBackReason>().notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** What of it opened the payment's invoice again, or paid it again. */
    reopenedCents: cents("reopened_cents").notNull().default(0),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .unique("payments_taken_back_entries")
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("payments_taken_back_once").on(table.provider, table.reference, table.number),
    foreignKey({
      name: "payments_taken_back_top_up",
      columns: [table.accountId, table.topUpId],
      foreignColumns: [topUps.accountId, topUps.id],
    }),
    foreignKey({
      name: "payments_taken_back_plan_change",
      columns: [table.accountId, table.planChangeId],
      foreignColumns: [planChanges.accountId, planChanges.id],
    }),
    oneOf("payments_taken_back_provider", table.provider, paymentProviders),
    oneOf("payments_taken_back_reason", table.reason, takenBackReasons),
    check("payments_taken_back_payment", sql`(${table.topUpId} is null) <> (${table.planChangeId} is null)`),
    check(
      "payments_taken_back_numbers",
      sql`${table.number} > 0 and ${table.amountCents} <> 0
        and ${table.reopenedCents} between least(0, ${table.amountCents}) and greatest(0, ${table.amountCents})`,
    ),
    index("payments_taken_back_of_top_up").on(table.topUpId).where(sql`${table.topUpId} is not null`),
    index("payments_taken_back_of_plan_change").on(table.planChangeId).where(sql`${table.planChangeId} is not null`),
    index("payments_taken_back_account").on(table.accountId, table.createdAt),
  ],
);
