import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type PlanType, planTypes, subscriptionStatuses } from "#app/domain/billing/plan.ts";
import type { AccountId, SubscriptionId } from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { createdAt, oneOf, primaryId } from "./columns.ts";

/** A publisher's plan. At most one that is not canceled. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    id: primaryId<SubscriptionId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    planType: text("plan_type").$type<PlanType>().notNull(),
    status: text("status").$type<(typeof subscriptionStatuses)[number]>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    oneOf("subscriptions_plan_type", table.planType, planTypes),
    oneOf("subscriptions_status", table.status, subscriptionStatuses),
    uniqueIndex("subscriptions_current").on(table.accountId).where(sql`${table.status} <> 'canceled'`),
  ],
);
