import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type {
  AccountId,
  LedgerTransactionId,
  PayoutId,
  PlanChangeId,
  PlanOffsetId,
  RepaymentId,
  RevenueShareId,
} from "#app/domain/ids.ts";
import { cents, instant, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { planChanges } from "./billing.ts";
import { ledgerTransactions, revenueShares } from "./ledger.ts";
import { payouts } from "./payouts.ts";

/** A plan's payment from what its publisher earned: the next payout is less by it. Never changed but for its payout. */
export const planOffsets = pgTable(
  "plan_offsets",
  {
    id: primaryId<PlanOffsetId>(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    planChangeId: uuid("plan_change_id").$type<PlanChangeId>().notNull().unique("plan_offsets_once"),
    amountCents: cents("amount_cents").notNull(),
    /** The payout that is reduced by it. Null again when the payout was returned. */
    payoutId: uuid("payout_id").$type<PayoutId>(),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("plan_offsets_publisher").on(table.publisherId, table.id),
    foreignKey({
      name: "plan_offsets_plan_change",
      columns: [table.publisherId, table.planChangeId],
      foreignColumns: [planChanges.accountId, planChanges.id],
    }),
    foreignKey({
      name: "plan_offsets_payout",
      columns: [table.publisherId, table.payoutId],
      foreignColumns: [payouts.publisherId, payouts.id],
    }),
    check("plan_offsets_amount", sql`${table.amountCents} > 0`),
    index("plan_offsets_free").on(table.publisherId).where(sql`${table.payoutId} is null`),
    index("plan_offsets_of_payout").on(table.payoutId).where(sql`${table.payoutId} is not null`),
  ],
);

/**
 * Money that a publisher with a negative balance, or a closed advertiser with a debt, transferred to us, once per
 * reference of the bank. The publisher's next payout has a line for it, beside those of the refunds that it covers. A
 * reversal is a row with the negative amount of the one that it reverses, after which the reference can be recorded
 * again. Insert-only.
 */
export const repayments = pgTable(
  "repayments",
  {
    id: primaryId<RepaymentId>(),
    /** Null where an advertiser repaid. */
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    advertiserId: uuid("advertiser_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    reference: text("reference").notNull(),
    /** How often the reference was recorded, with this one: once more after each reversal. */
    occurrence: integer("occurrence").notNull().default(1),
    /** The repayment that this row reverses. */
    reversesId: uuid("reverses_id").$type<RepaymentId>(),
    amountCents: cents("amount_cents").notNull(),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("repayments_publisher").on(table.publisherId, table.id),
    uniqueIndex("repayments_recorded_once")
      .on(table.reference, table.occurrence)
      .where(sql`${table.reversesId} is null`),
    uniqueIndex("repayments_reversed_once").on(table.reversesId).where(sql`${table.reversesId} is not null`),
    foreignKey({
      name: "repayments_reversal",
      columns: [table.publisherId, table.reversesId],
      foreignColumns: [table.publisherId, table.id],
    }),
    foreignKey({ name: "repayments_reversed", columns: [table.reversesId], foreignColumns: [table.id] }),
    check("repayments_one", sql`num_nonnulls(${table.publisherId}, ${table.advertiserId}) = 1`),
    check(
      "repayments_amount",
      sql`${table.amountCents} <> 0 and (${table.amountCents} < 0) = (${table.reversesId} is not null)`,
    ),
    check("repayments_occurrence", sql`${table.occurrence} > 0`),
    check("repayments_named", sql`${table.reference} <> ''`),
  ],
);

/**
 * The lines of a payout; plan payments are negative. They sum to its amount, even when it was returned. Insert-only.
 */
export const payoutLines = pgTable(
  "payout_lines",
  {
    payoutId: uuid("payout_id").$type<PayoutId>().notNull(),
    number: integer("number").notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    revenueShareId: uuid("revenue_share_id").$type<RevenueShareId>(),
    planOffsetId: uuid("plan_offset_id").$type<PlanOffsetId>(),
    repaymentId: uuid("repayment_id").$type<RepaymentId>(),
    amountCents: cents("amount_cents").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.payoutId, table.number] }),
    unique("payout_lines_once").on(table.payoutId, table.revenueShareId),
    unique("payout_lines_plan_once").on(table.payoutId, table.planOffsetId),
    check(
      "payout_lines_one",
      sql`num_nonnulls(${table.revenueShareId}, ${table.planOffsetId}, ${table.repaymentId}) = 1`,
    ),
    foreignKey({
      name: "payout_lines_payout",
      columns: [table.publisherId, table.payoutId],
      foreignColumns: [payouts.publisherId, payouts.id],
    }),
    foreignKey({
      name: "payout_lines_share",
      columns: [table.publisherId, table.revenueShareId],
      foreignColumns: [revenueShares.publisherId, revenueShares.id],
    }),
    foreignKey({
      name: "payout_lines_plan",
      columns: [table.publisherId, table.planOffsetId],
      foreignColumns: [planOffsets.publisherId, planOffsets.id],
    }),
    foreignKey({
      name: "payout_lines_repayment",
      columns: [table.publisherId, table.repaymentId],
      foreignColumns: [repayments.publisherId, repayments.id],
    }),
    index("payout_lines_of_repayment").on(table.repaymentId).where(sql`${table.repaymentId} is not null`),
  ],
);
