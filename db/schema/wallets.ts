import { sql } from "drizzle-orm";
import {
  check,
  date,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { type PaymentProviderName, paymentProviders } from "#app/domain/billing/payment-methods/payment-method.ts";
import { type TopUpStatus, topUpLimits, topUpStatuses } from "#app/domain/billing/wallet/top-up.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AccountId, CampaignId, InvoiceId, PaymentMethodId, TopUpId, TransactionId } from "#app/domain/ids.ts";
import { cents, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { invoices } from "./invoices.ts";
import { transactions } from "./ledger.ts";
import { paymentMethods } from "./payments.ts";

/** A top-up of a wallet. `dueAt` is when a job checks it next, until it is final. */
export const topUps = pgTable(
  "top_ups",
  {
    id: primaryId<TopUpId>(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    paymentMethodId: uuid("payment_method_id").$type<PaymentMethodId>().notNull(),
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** What of it is gone again, past our books: a dispute, or a refund made at the provider's. */
    reversedCents: cents("reversed_cents").notNull().default(0),
    status: text("status").$type<TopUpStatus>().notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    /** The provider's id of the payment, once known. */
    paymentId: text("payment_id"),
    confirmUrl: text("confirm_url"),
    /** The failure message that the user saw. */
    failure: text("failure"),
    returnPath: text("return_path").$type<`/${string}`>().notNull(),
    /** The invoice that it pays instead of topping up the wallet. */
    invoiceId: uuid("invoice_id").$type<InvoiceId>(),
    /** What a program was answered first. */
    response: text("response"),
    /** The account's line of it. */
    transactionId: uuid("transaction_id")
      .$type<TransactionId>()
      .notNull()
      .unique("top_ups_transaction")
      .references(() => transactions.id),
    createdAt: instant("created_at").notNull(),
    dueAt: instant("due_at"),
  },
  (table) => [
    unique("top_ups_once").on(table.accountId, table.idempotencyKey),
    unique("top_ups_payment").on(table.paymentId),
    unique("top_ups_account_id").on(table.accountId, table.id),
    check(
      "top_ups_reversed",
      sql`${table.reversedCents} between 0 and case ${table.status} when 'succeeded' then ${table.amountCents} else 0 end`,
    ),
    foreignKey({
      name: "top_ups_method",
      columns: [table.accountId, table.paymentMethodId],
      foreignColumns: [paymentMethods.accountId, paymentMethods.id],
    }),
    foreignKey({
      name: "top_ups_invoice",
      columns: [table.accountId, table.invoiceId],
      foreignColumns: [invoices.advertiserId, invoices.id],
    }),
    index("top_ups_of_invoice").on(table.invoiceId).where(sql`${table.invoiceId} is not null`),
    oneOf("top_ups_provider", table.provider, paymentProviders),
    oneOf("top_ups_status", table.status, topUpStatuses),
    check(
      "top_ups_amount",
      sql.raw(
        `case when invoice_id is null then amount_cents between ${topUpLimits.min} and ${topUpLimits.max} else amount_cents > 0 end`,
      ),
    ),
    check(
      "top_ups_open",
      sql`(${table.status} in ('pending', 'needs_confirmation')) = (${table.dueAt} is not null) and (${table.status} <> 'succeeded' or ${table.paymentId} is not null)`,
    ),
    index("top_ups_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);

/**
 * The periods in which an advertiser's campaigns were on hold for insufficient funds. A new advertiser starts with an
 * open one (by trigger); at most one is open. Triggers notify the channels, and the simulated channels deliver nothing
 * meanwhile.
 */
export const fundsHolds = pgTable(
  "funds_holds",
  {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    heldAt: instant("held_at").notNull(),
    releasedAt: instant("released_at"),
  },
  (table) => [
    uniqueIndex("funds_holds_open").on(table.accountId).where(sql`${table.releasedAt} is null`),
    index("funds_holds_account").on(table.accountId),
    check("funds_holds_order", sql`${table.releasedAt} >= ${table.heldAt}`),
  ],
);

/**
 * What an active campaign can still spend in a day, as changes: from each of the days on that many cents more or less
 * than before (maintained only by trigger). Right from the last day on that has spend; a campaign that can spend
 * nothing has no row.
 */
export const spendableCampaigns = pgTable("spendable_campaigns", {
  campaignId: uuid("campaign_id").$type<CampaignId>().primaryKey(),
  advertiserId: uuid("advertiser_id").$type<AccountId>().notNull(),
  days: date("days", { mode: "string" }).array().notNull(),
  cents: cents("cents").array().notNull(),
});

/**
 * The sums of the same by advertiser: what its campaigns can spend on a day is the sum through that day (maintained
 * only by trigger).
 */
export const spendableChanges = pgTable(
  "spendable_changes",
  {
    advertiserId: uuid("advertiser_id").$type<AccountId>().notNull(),
    day: date("day", { mode: "string" }).$type<CalendarDate>().notNull(),
    cents: cents("cents").notNull(),
  },
  (table) => [primaryKey({ name: "spendable_changes_pk", columns: [table.advertiserId, table.day] })],
);
