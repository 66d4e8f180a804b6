import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type PaymentProviderName, paymentProviders } from "#app/domain/billing/payment-methods/payment-method.ts";
import { type ReversalReason, reversalReasons } from "#app/domain/billing/reversals/reversal.ts";
import type { AccountId, LedgerTransactionId, PaymentReversalId, PlanChangeId, TopUpId } from "#app/domain/ids.ts";
import { cents, instant, oneOf, primaryId } from "#db/columns.ts";
import { planChanges } from "./billing.ts";
import { ledgerTransactions } from "./ledger.ts";
import { topUps } from "./wallets.ts";

/**
 * A reversal of a payment outside our ledger, or its reinstatement: positive amounts were reversed, negative ones
 * reinstated. `number` counts the steps of one dispute or refund (the provider's `reference`). Insert-only.
 */
export const paymentReversals = pgTable(
  "payment_reversals",
  {
    id: primaryId<PaymentReversalId>(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    topUpId: uuid("top_up_id").$type<TopUpId>(),
    planChangeId: uuid("plan_change_id").$type<PlanChangeId>(),
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    reference: text("reference").notNull(),
    number: integer("number").notNull(),
    reason: text("reason").$type<ReversalReason>().notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** The amount by which it reopened the payment's invoice, or paid it again. */
    reopenedCents: cents("reopened_cents").notNull().default(0),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .unique("payment_reversals_entries")
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("payment_reversals_once").on(table.provider, table.reference, table.number),
    foreignKey({
      name: "payment_reversals_top_up",
      columns: [table.accountId, table.topUpId],
      foreignColumns: [topUps.accountId, topUps.id],
    }),
    foreignKey({
      name: "payment_reversals_plan_change",
      columns: [table.accountId, table.planChangeId],
      foreignColumns: [planChanges.accountId, planChanges.id],
    }),
    oneOf("payment_reversals_provider", table.provider, paymentProviders),
    oneOf("payment_reversals_reason", table.reason, reversalReasons),
    check("payment_reversals_payment", sql`(${table.topUpId} is null) <> (${table.planChangeId} is null)`),
    check(
      "payment_reversals_numbers",
      sql`${table.number} > 0 and ${table.amountCents} <> 0
        and ${table.reopenedCents} between least(0, ${table.amountCents}) and greatest(0, ${table.amountCents})`,
    ),
    index("payment_reversals_of_top_up").on(table.topUpId).where(sql`${table.topUpId} is not null`),
    index("payment_reversals_of_plan_change").on(table.planChangeId).where(sql`${table.planChangeId} is not null`),
    index("payment_reversals_account").on(table.accountId, table.createdAt),
  ],
);
