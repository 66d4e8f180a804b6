import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type LedgerAccountKind,
  type LedgerEvent,
  ledgerAccountKinds,
  ledgerEvents,
  ownedLedgerAccountKinds,
} from "#app/domain/billing/ledger/ledger.ts";
import type { SpendByMonth } from "#app/domain/billing/ledger/settlement-parts.ts";
import { type RevenueShareStatus, revenueShareStatuses } from "#app/domain/billing/revenue-share.ts";
import {
  type TransactionStatus,
  type TransactionType,
  transactionStatuses,
  transactionTypes,
} from "#app/domain/billing/transaction.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type {
  AccountId,
  LedgerAccountId,
  LedgerTransactionId,
  LineItemId,
  PayoutId,
  RefundId,
  RevenueShareId,
  TransactionId,
} from "#app/domain/ids.ts";
import { cents, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { lineItems } from "./campaigns.ts";
import { payouts } from "./payouts.ts";

/** A closed month that an amount adjusts, by its first day (decision 90). */
const adjustedMonth = () => date("adjusts_month", { mode: "string" }).$type<CalendarDate>();
const isFirstDay = (month: AnyPgColumn) => sql`date_trunc('month', ${month}::timestamp) = ${month}::timestamp`;

/**
 * An account of the ledger. Its balance is the sum of its entries (maintained only by trigger): debits are positive.
 */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    id: primaryId<LedgerAccountId>(),
    kind: text("kind").$type<LedgerAccountKind>().notNull(),
    ownerId: uuid("owner_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    balanceCents: cents("balance_cents").notNull().default(0),
  },
  (table) => [
    unique("ledger_accounts_owner").on(table.ownerId, table.kind).nullsNotDistinct(),
    oneOf("ledger_accounts_kind", table.kind, ledgerAccountKinds),
    check(
      "ledger_accounts_owned",
      sql.raw(`(kind in (${ownedLedgerAccountKinds.map((kind) => `'${kind}'`).join(", ")})) = (owner_id is not null)`),
    ),
    // A wallet cannot be overdrawn, and a receivable cannot be negative.
    check(
      "ledger_accounts_limits",
      sql`case ${table.kind} when 'advertiser_wallet' then ${table.balanceCents} <= 0 when 'advertiser_receivable' then ${table.balanceCents} >= 0 else true end`,
    ),
  ],
);

/** A transaction of the ledger. Insert-only; its entries sum to zero (checked at commit). */
export const ledgerTransactions = pgTable(
  "ledger_transactions",
  {
    id: primaryId<LedgerTransactionId>(),
    event: text("event").$type<LedgerEvent>().notNull(),
    /**
     * The key of the event, which makes it unique, with the hash of its legs, so that no other transaction can use it.
     */
    eventKey: text("event_key").notNull().unique("ledger_transactions_event"),
    legsHash: text("legs_hash").notNull(),
    postedAt: instant("posted_at").notNull(),
    /** The first day of the closed month whose spend it adjusts; null for everything else. */
    adjustsMonth: adjustedMonth(),
    /** The database transaction that wrote it: entries come in the same one, never later. */
    xactId: bigint("xact_id", { mode: "bigint" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [
    oneOf("ledger_transactions_kind", table.event, ledgerEvents),
    check("ledger_transactions_hash", sql`${table.legsHash} ~ '^[0-9a-f]{64}$'`),
    check(
      "ledger_transactions_adjusts",
      sql`${table.adjustsMonth} is null or (${table.event} = 'campaign_spend' and ${isFirstDay(table.adjustsMonth)})`,
    ),
  ],
);

/** A leg of a transaction, in cents: positive debits its account, negative credits it. Insert-only. */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    transactionId: uuid("transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references((): AnyPgColumn => ledgerTransactions.id),
    number: smallint("number").notNull(),
    accountId: uuid("account_id")
      .$type<LedgerAccountId>()
      .notNull()
      .references(() => ledgerAccounts.id),
    amountCents: cents("amount_cents").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.number] }),
    check("ledger_entries_amount", sql`${table.amountCents} <> 0`),
    index("ledger_entries_account").on(table.accountId),
  ],
);

/** The sum of a ledger account's entries by the month (UTC) in which they were posted (maintained only by trigger). */
export const ledgerAccountMonths = pgTable(
  "ledger_account_months",
  {
    accountId: uuid("account_id").$type<LedgerAccountId>().notNull(),
    /** The first day of the month. */
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
    amountCents: cents("amount_cents").notNull(),
  },
  (table) => [primaryKey({ name: "ledger_account_months_pk", columns: [table.accountId, table.month] })],
);

/**
 * A line of an account's statement: the sum of a transaction's entries on all ledger accounts of the owner, positive in
 * the owner's favor (maintained only by trigger).
 */
export const statementLines = pgTable(
  "statement_lines",
  {
    ownerId: uuid("owner_id").$type<AccountId>().notNull(),
    postedAt: instant("posted_at").notNull(),
    transactionId: uuid("transaction_id").$type<LedgerTransactionId>().notNull(),
    amountCents: cents("amount_cents").notNull(),
  },
  (table) => [
    primaryKey({ name: "statement_lines_pk", columns: [table.ownerId, table.postedAt, table.transactionId] }),
  ],
);

/**
 * How far a line item is settled: the sums of all its revenue shares, and the last day (UTC) whose spend they include.
 */
export const lineItemSettlements = pgTable(
  "line_item_settlements",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .primaryKey()
      .references(() => lineItems.id),
    revision: integer("revision").notNull(),
    settledThrough: date("settled_through", { mode: "string" }).$type<CalendarDate>().notNull(),
    spendMicros: bigint("spend_micros", { mode: "bigint" }).notNull(),
    spendCents: cents("spend_cents").notNull(),
    earningsCents: cents("earnings_cents").notNull(),
    /** `spendMicros` by the month of delivery, `YYYY-MM`, so that a later change is booked for its month. */
    spendByMonth: jsonb("spend_by_month").$type<SpendByMonth>().notNull().default({}),
  },
  (table) => [
    check(
      "line_item_settlements_numbers",
      sql`${table.revision} > 0 and ${table.earningsCents} between 0 and ${table.spendCents} and ${table.spendCents} = ${table.spendMicros} / 10000`,
    ),
    check("line_item_settlements_day", sql`isfinite(${table.settledThrough})`),
  ],
);

/**
 * The line items whose spend in whole cents is not what is settled, with the difference, which is negative after a
 * restatement (maintained by trigger).
 */
export const unsettledLineItems = pgTable(
  "unsettled_line_items",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .primaryKey()
      .references(() => lineItems.id),
    cents: cents("cents").notNull(),
  },
  (table) => [check("unsettled_line_items_cents", sql`${table.cents} <> 0`)],
);

/** The sum of an advertiser's unsettled line items, in whole cents (maintained by trigger). */
export const unsettledSpend = pgTable("unsettled_spend", {
  advertiserId: uuid("advertiser_id")
    .$type<AccountId>()
    .primaryKey()
    .references(() => accounts.id),
  cents: cents("cents").notNull(),
});

/** The sum of an advertiser's succeeded transactions of settled spend (maintained by trigger, docs/decisions/0118). */
export const settledSpend = pgTable("settled_spend", {
  advertiserId: uuid("advertiser_id").$type<AccountId>().primaryKey(),
  cents: cents("cents").notNull(),
});

/** The days (UTC) whose check of the whole ledger ended, also with violations. */
export const ledgerChecks = pgTable("ledger_checks", {
  day: date("day", { mode: "string" }).$type<CalendarDate>().primaryKey(),
  startedAt: instant("started_at").notNull(),
});

/**
 * A publisher's share of a settlement of a line item, or the deduction for a refund. Only its status and its payout
 * change.
 */
export const revenueShares = pgTable(
  "revenue_shares",
  {
    id: primaryId<RevenueShareId>(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    lineItemId: uuid("line_item_id").$type<LineItemId>().notNull(),
    /** Null for the deduction of a refund. */
    revision: integer("revision"),
    refundId: uuid("refund_id")
      .$type<RefundId>()
      .unique("revenue_shares_refund")
      .references((): AnyPgColumn => refunds.id),
    settledThrough: date("settled_through", { mode: "string" }).$type<CalendarDate>().notNull(),
    spendCents: cents("spend_cents").notNull(),
    earningsCents: cents("earnings_cents").notNull(),
    feeCents: cents("fee_cents").notNull(),
    status: text("status").$type<RevenueShareStatus>().notNull().default("pending"),
    /** The payout that includes it, pending or paid. Null again when the payout was returned. */
    payoutId: uuid("payout_id").$type<PayoutId>(),
    /** The first day of the closed month that it adjusts; null for the regular share. */
    adjustsMonth: adjustedMonth(),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("revenue_shares_settlement").on(table.lineItemId, table.revision),
    foreignKey({
      name: "revenue_shares_line_item",
      columns: [table.lineItemId, table.publisherId],
      foreignColumns: [lineItems.id, lineItems.publisherId],
    }),
    foreignKey({
      name: "revenue_shares_payout",
      columns: [table.publisherId, table.payoutId],
      foreignColumns: [payouts.publisherId, payouts.id],
    }),
    oneOf("revenue_shares_status", table.status, revenueShareStatuses),
    check("revenue_shares_paid", sql`${table.status} <> 'paid' or ${table.payoutId} is not null`),
    check(
      "revenue_shares_adjusts",
      sql`${table.adjustsMonth} is null or (${table.revision} is not null and ${isFirstDay(table.adjustsMonth)})`,
    ),
    check("revenue_shares_reason", sql`(${table.revision} is null) = (${table.refundId} is not null)`),
    check("revenue_shares_sum", sql`${table.spendCents} = ${table.earningsCents} + ${table.feeCents}`),
    check("revenue_shares_numbers", sql`${table.revision} > 0 and isfinite(${table.settledThrough})`),
    unique("revenue_shares_publisher").on(table.publisherId, table.id),
    index("revenue_shares_by_spend").on(table.publisherId, table.spendCents, table.id),
    index("revenue_shares_by_fee").on(table.publisherId, table.feeCents, table.id),
    index("revenue_shares_by_earnings").on(table.publisherId, table.earningsCents, table.id),
    index("revenue_shares_time").on(table.publisherId, table.createdAt),
    index("revenue_shares_free").on(table.publisherId, table.settledThrough).where(sql`${table.payoutId} is null`),
    index("revenue_shares_of_payout").on(table.payoutId).where(sql`${table.payoutId} is not null`),
    index("revenue_shares_deductions")
      .on(table.publisherId, table.settledThrough, table.lineItemId)
      .where(sql`${table.payoutId} is null and ${table.earningsCents} < 0`),
  ],
);

/**
 * The sums of a publisher's revenue shares by the day (UTC) through which they are settled (maintained only by
 * trigger), so that its earnings are not summed over all of them.
 */
export const revenueShareDays = pgTable(
  "revenue_share_days",
  {
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    day: date("day", { mode: "string" }).$type<CalendarDate>().notNull(),
    settledCents: cents("settled_cents").notNull(),
    /** The deductions for refunds. */
    refundedCents: cents("refunded_cents").notNull(),
    /** Of both, what is in no payout: shares of 0 or more, and negative ones. */
    unpaidCents: cents("unpaid_cents").notNull(),
    unpaidDeductionsCents: cents("unpaid_deductions_cents").notNull(),
  },
  (table) => [primaryKey({ name: "revenue_share_days_pk", columns: [table.publisherId, table.day] })],
);

/**
 * Refunded spend of a line item: in total never more than was settled. A change of the refund by a settlement, because
 * spend was restated, has that settlement's revision. Insert-only.
 */
export const refunds = pgTable(
  "refunds",
  {
    id: primaryId<RefundId>(),
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id),
    amountCents: cents("amount_cents").notNull(),
    earningsCents: cents("earnings_cents").notNull(),
    /** The settlement that changed it; null for an operator's refund. */
    revision: integer("revision"),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("refunds_restated").on(table.lineItemId, table.revision),
    check(
      "refunds_numbers",
      sql`case when ${table.amountCents} > 0 then ${table.earningsCents} between 0 and ${table.amountCents}
        else ${table.revision} is not null and ${table.amountCents} < 0 and ${table.earningsCents} between ${table.amountCents} and 0 end`,
    ),
    index("refunds_line_item").on(table.lineItemId),
  ],
);

/** An account's view of its money: one line per event. The amount is from the account's perspective. */
export const transactions = pgTable(
  "transactions",
  {
    id: primaryId<TransactionId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    type: text("type").$type<TransactionType>().notNull(),
    status: text("status").$type<TransactionStatus>().notNull(),
    description: text("description").notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** The first day of the closed month whose spend it adjusts; null for everything else. */
    adjustsMonth: adjustedMonth(),
    /** Its ledger transaction; null while it is pending or when it failed. */
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .references(() => ledgerTransactions.id),
    /** The payout that it is about. */
    payoutId: uuid("payout_id").$type<PayoutId>().unique("transactions_payout"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    foreignKey({
      name: "transactions_payout_owner",
      columns: [table.accountId, table.payoutId],
      foreignColumns: [payouts.publisherId, payouts.id],
    }),
    oneOf("transactions_type", table.type, transactionTypes),
    oneOf("transactions_status", table.status, transactionStatuses),
    check(
      "transactions_adjusts",
      sql`${table.adjustsMonth} is null or (${table.type} = 'campaign_spend' and ${isFirstDay(table.adjustsMonth)})`,
    ),
    check("transactions_ledger", sql`(${table.status} = 'succeeded') = (${table.ledgerTransactionId} is not null)`),
    unique("transactions_once").on(table.ledgerTransactionId, table.accountId),
    index("transactions_account").on(table.accountId, table.id),
    index("transactions_of_type").on(table.accountId, table.type, table.id),
    index("transactions_by_amount").on(table.accountId, table.amountCents, table.id),
    // The signed amount of an advertiser's transactions (transaction.ts), which its list sorts by.
    index("transactions_by_signed_amount").on(
      table.accountId,
      sql`(case when ${table.type} = 'campaign_spend' then -${table.amountCents} else ${table.amountCents} end)`,
      table.id,
    ),
    index("transactions_time").on(table.accountId, table.createdAt),
  ],
);
