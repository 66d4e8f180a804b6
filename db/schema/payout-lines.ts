import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, primaryKey, unique, uuid } from "drizzle-orm/pg-core";
import type {
  AccountId,
  LedgerTransactionId,
  NettedPlanId,
  PayoutId,
  PlanChangeId,
  RevenueShareId,
} from "#app/domain/ids.ts";
import { planChanges } from "./billing.ts";
import { cents, instant, primaryId } from "./columns.ts";
import { ledgerTransactions, revenueShares } from "./ledger.ts";
import { payouts } from "./payouts.ts";

/** A plan's payment from what its publisher earned: the next payout is less by it. Never changed but for its payout. */
export const nettedPlans = pgTable(
  "netted_plans",
  {
    id: primaryId<NettedPlanId>(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    planChangeId: uuid("plan_change_id").$type<PlanChangeId>().notNull().unique("netted_plans_once"),
    amountCents: cents("amount_cents").notNull(),
    /** The payout that is less by it. None when that came back. */
    payoutId: uuid("payout_id").$type<PayoutId>(),
    ledgerTransactionId: uuid("ledger_transaction_id")
      .$type<LedgerTransactionId>()
      .notNull()
      .references(() => ledgerTransactions.id),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("netted_plans_publisher").on(table.publisherId, table.id),
    foreignKey({
      name: "netted_plans_plan_change",
      columns: [table.publisherId, table.planChangeId],
      foreignColumns: [planChanges.accountId, planChanges.id],
    }),
    foreignKey({
      name: "netted_plans_payout",
      columns: [table.publisherId, table.payoutId],
      foreignColumns: [payouts.publisherId, payouts.id],
    }),
    check("netted_plans_amount", sql`${table.amountCents} > 0`),
    index("netted_plans_free").on(table.publisherId).where(sql`${table.payoutId} is null`),
    index("netted_plans_of_payout").on(table.payoutId).where(sql`${table.payoutId} is not null`),
  ],
);

/** What a payout pays, line by line, a plan that was paid from it below nothing: they sum to its amount, also when it came back. Only ever inserted. */
export const payoutLines = pgTable(
  "payout_lines",
  {
    payoutId: uuid("payout_id").$type<PayoutId>().notNull(),
    number: integer("number").notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    revenueShareId: uuid("revenue_share_id").$type<RevenueShareId>(),
    nettedPlanId: uuid("netted_plan_id").$type<NettedPlanId>(),
    amountCents: cents("amount_cents").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.payoutId, table.number] }),
    unique("payout_lines_once").on(table.payoutId, table.revenueShareId),
    unique("payout_lines_plan_once").on(table.payoutId, table.nettedPlanId),
    check("payout_lines_one", sql`(${table.revenueShareId} is null) <> (${table.nettedPlanId} is null)`),
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
      columns: [table.publisherId, table.nettedPlanId],
      foreignColumns: [nettedPlans.publisherId, nettedPlans.id],
    }),
  ],
);
