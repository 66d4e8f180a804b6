import { foreignKey, integer, pgTable, primaryKey, unique, uuid } from "drizzle-orm/pg-core";
import type { AccountId, PayoutId, RevenueShareId } from "#app/domain/ids.ts";
import { cents } from "./columns.ts";
import { revenueShares } from "./ledger.ts";
import { payouts } from "./payouts.ts";

/** What a payout pays, line by line: they sum to its amount, also when it came back. Only ever inserted. */
export const payoutLines = pgTable(
  "payout_lines",
  {
    payoutId: uuid("payout_id").$type<PayoutId>().notNull(),
    number: integer("number").notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    revenueShareId: uuid("revenue_share_id").$type<RevenueShareId>().notNull(),
    amountCents: cents("amount_cents").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.payoutId, table.number] }),
    unique("payout_lines_once").on(table.payoutId, table.revenueShareId),
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
  ],
);
