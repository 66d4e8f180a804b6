import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type PaymentProviderName, paymentProviders } from "#app/domain/billing/payment-methods/payment-method.ts";
import { type PlanType, planTypes, type SubscriptionStatus, subscriptionStatuses } from "#app/domain/billing/plan.ts";
import {
  maxPlanChangeCents,
  openChangeStatuses,
  type PlanChangeKind,
  type PlanChangeStatus,
  planChangeKinds,
  planChangeStatuses,
} from "#app/domain/billing/subscription/plan-change.ts";
import type { AccountId, PaymentMethodId, PlanChangeId, SubscriptionId, TransactionId } from "#app/domain/ids.ts";
import { cents, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { transactions } from "./ledger.ts";
import { paymentMethods } from "./payments.ts";

const inAMonth = sql`now() + interval '1 month'`;

/** A publisher's plan and its paid period. At most one that is not canceled. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    id: primaryId<SubscriptionId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    planType: text("plan_type").$type<PlanType>().notNull(),
    status: text("status").$type<SubscriptionStatus>().notNull(),
    createdAt: createdAt(),
    /** The date whose day of the month periods end on. */
    anchorAt: instant("anchor_at").notNull().defaultNow(),
    periodStartedAt: instant("period_started_at").notNull().defaultNow(),
    periodEndsAt: instant("period_ends_at").notNull().default(inAMonth),
    /** The smaller plan that starts with the next period. */
    nextPlanType: text("next_plan_type").$type<PlanType>(),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    /** Since when the payment of the next period is overdue. */
    pastDueSince: instant("past_due_since"),
    /** Since when the payment for the period that runs is gone again: the next period begins when it is paid. */
    paymentReversedAt: instant("payment_reversed_at"),
    /** When the job looks at it: at the period's end, or to try again. */
    dueAt: instant("due_at").default(inAMonth),
    endedAt: instant("ended_at"),
  },
  (table) => [
    oneOf("subscriptions_plan_type", table.planType, planTypes),
    oneOf("subscriptions_next_plan_type", table.nextPlanType, planTypes),
    oneOf("subscriptions_status", table.status, subscriptionStatuses),
    check("subscriptions_period", sql`${table.periodEndsAt} > ${table.periodStartedAt}`),
    check("subscriptions_past_due", sql`(${table.pastDueSince} is not null) or ${table.status} <> 'past_due'`),
    check(
      "subscriptions_payment_reversed",
      sql`${table.paymentReversedAt} is null or ${table.status} = 'canceled' or ${table.pastDueSince} is not null`,
    ),
    check("subscriptions_one_end", sql`not (${table.cancelAtPeriodEnd} and ${table.nextPlanType} is not null)`),
    unique("subscriptions_account_id").on(table.accountId, table.id),
    uniqueIndex("subscriptions_current").on(table.accountId).where(sql`${table.status} <> 'canceled'`),
    index("subscriptions_due").on(table.dueAt).where(sql`${table.status} <> 'canceled'`),
  ],
);

/**
 * A change of a plan or an event of it, with its payment if it costs anything. `dueAt` is when a job checks the payment
 * next, until it is final.
 */
export const planChanges = pgTable(
  "plan_changes",
  {
    id: primaryId<PlanChangeId>(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    /** Null while the first payment of a new subscription is pending. */
    subscriptionId: uuid("subscription_id").$type<SubscriptionId>(),
    kind: text("kind").$type<PlanChangeKind>().notNull(),
    planType: text("plan_type").$type<PlanType>().notNull(),
    status: text("status").$type<PlanChangeStatus>().notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** What of it is gone again, past our books: a dispute, or a refund made at the provider's. */
    reversedCents: cents("reversed_cents").notNull().default(0),
    /** The start of the period that is paid for; of a new plan it is known when it is paid. */
    periodStartedAt: instant("period_started_at"),
    /** Null when nothing is paid, or when there was no payment method. */
    paymentMethodId: uuid("payment_method_id").$type<PaymentMethodId>(),
    provider: text("provider").$type<PaymentProviderName>(),
    /** Paid from what the publisher earned. */
    paidFromEarnings: boolean("paid_from_earnings").notNull().default(false),
    idempotencyKey: text("idempotency_key").notNull(),
    /** The provider's id of the payment, once known. */
    paymentId: text("payment_id"),
    confirmUrl: text("confirm_url"),
    /** The failure message that the user saw. */
    failure: text("failure"),
    returnPath: text("return_path").$type<`/${string}`>().notNull(),
    /** What a program was answered first. */
    response: text("response"),
    /** The account's line of it. */
    transactionId: uuid("transaction_id")
      .$type<TransactionId>()
      .unique("plan_changes_transaction")
      .references(() => transactions.id),
    createdAt: instant("created_at").notNull(),
    dueAt: instant("due_at"),
  },
  (table) => [
    unique("plan_changes_once").on(table.accountId, table.idempotencyKey),
    unique("plan_changes_payment").on(table.paymentId),
    unique("plan_changes_account_id").on(table.accountId, table.id),
    check(
      "plan_changes_reversed",
      sql`${table.reversedCents} between 0 and case ${table.status} when 'succeeded' then ${table.amountCents} else 0 end`,
    ),
    uniqueIndex("plan_changes_open")
      .on(table.accountId)
      .where(sql.raw(`status in (${openChangeStatuses.map((status) => `'${status}'`).join(", ")})`)),
    foreignKey({
      name: "plan_changes_account",
      columns: [table.accountId],
      foreignColumns: [accounts.id],
    }),
    foreignKey({
      name: "plan_changes_subscription",
      columns: [table.accountId, table.subscriptionId],
      foreignColumns: [subscriptions.accountId, subscriptions.id],
    }),
    foreignKey({
      name: "plan_changes_method",
      columns: [table.accountId, table.paymentMethodId],
      foreignColumns: [paymentMethods.accountId, paymentMethods.id],
    }),
    oneOf("plan_changes_kind", table.kind, planChangeKinds),
    oneOf("plan_changes_plan_type", table.planType, planTypes),
    oneOf("plan_changes_status", table.status, planChangeStatuses),
    oneOf("plan_changes_provider", table.provider, paymentProviders),
    check("plan_changes_amount", sql.raw(`amount_cents between 0 and ${maxPlanChangeCents}`)),
    check("plan_changes_line", sql`(${table.amountCents} > 0) = (${table.transactionId} is not null)`),
    check(
      "plan_changes_due",
      sql`(${table.status} in ('pending', 'needs_confirmation')) = (${table.dueAt} is not null)`,
    ),
    check(
      "plan_changes_paid",
      sql`${table.status} <> 'succeeded' or ${table.subscriptionId} is not null and (${table.amountCents} = 0 or ${table.paidFromEarnings} or ${table.paymentId} is not null)`,
    ),
    check(
      "plan_changes_paid_from_earnings",
      sql`not ${table.paidFromEarnings} or ${table.provider} is null and ${table.paymentId} is null`,
    ),
    index("plan_changes_subscription").on(table.subscriptionId, table.id),
    index("plan_changes_account").on(table.accountId, table.id),
    index("plan_changes_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);
