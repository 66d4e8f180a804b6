import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, smallint, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import {
  type ConnectedAccountState,
  connectedAccountStates,
  openPayoutStatuses,
  type PayoutProviderName,
  type PayoutStatus,
  payoutProviders,
  payoutStatuses,
} from "#app/domain/billing/payouts/payout.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AccountId, PayoutId } from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { cents, instant, oneOf, primaryId } from "./columns.ts";

/** Where a publisher's money goes: what stands for the account at who transfers it, and what a person knows it by. Never its number. */
export const payoutAccounts = pgTable(
  "payout_accounts",
  {
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .primaryKey()
      .references(() => accounts.id),
    provider: text("provider").$type<PayoutProviderName>().notNull(),
    token: text("token").notNull(),
    bank: text("bank").notNull(),
    lastFour: text("last_four").notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [
    oneOf("payout_accounts_provider", table.provider, payoutProviders),
    check("payout_accounts_last_four", sql`${table.lastFour} ~ '^[0-9]{4}$'`),
  ],
);

/** Which account of Stripe's a publisher is, from when it first went there: once each, and how it stood when that was asked last. */
export const connectedAccounts = pgTable(
  "connected_accounts",
  {
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .primaryKey()
      .references(() => accounts.id),
    reference: text("reference").notNull().unique("connected_accounts_reference"),
    state: text("state").$type<ConnectedAccountState>().notNull(),
    /** Until when Stripe wants to know more, where it does and pays out all the same. */
    dueBy: instant("due_by"),
    /** An answer to an older question changes nothing. */
    askedAt: instant("asked_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [oneOf("connected_accounts_state", table.state, connectedAccountStates)],
);

/** Money on its way to a publisher, with the account as it was. At most one of a publisher's is on its way. */
export const payouts = pgTable(
  "payouts",
  {
    id: primaryId<PayoutId>(),
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    status: text("status").$type<PayoutStatus>().notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** The first of the month for which it was made without being asked for; null when it was requested. */
    scheduledFor: date("scheduled_for", { mode: "string" }).$type<CalendarDate>(),
    provider: text("provider").$type<PayoutProviderName>().notNull(),
    token: text("token").notNull(),
    bank: text("bank").notNull(),
    lastFour: text("last_four").notNull(),
    /** What the provider calls it, from the moment it took it. */
    reference: text("reference"),
    /** Why it came back. */
    failure: text("failure"),
    /** When it is to be sent, or followed, next; one that arrived too, while the bank may still send it back. */
    dueAt: instant("due_at"),
    failures: integer("failures").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
    /** When it came back after it had arrived. */
    returnedAt: instant("returned_at"),
  },
  (table) => [
    unique("payouts_publisher").on(table.publisherId, table.id),
    unique("payouts_of_month").on(table.publisherId, table.scheduledFor),
    uniqueIndex("payouts_in_flight")
      .on(table.publisherId)
      .where(sql.raw(`status in (${openPayoutStatuses.map((status) => `'${status}'`).join(", ")})`)),
    oneOf("payouts_status", table.status, payoutStatuses),
    oneOf("payouts_provider", table.provider, payoutProviders),
    check("payouts_amount", sql`${table.amountCents} > 0`),
    check(
      "payouts_facts",
      sql`(${table.endedAt} is not null) = (${table.status} in ('paid', 'failed')) and (${table.failure} is not null) = (${table.status} = 'failed')
        and (${table.dueAt} is not null or ${table.status} in ('paid', 'failed')) and (${table.dueAt} is null or ${table.status} <> 'failed')
        and (${table.returnedAt} is null or ${table.status} = 'failed') and (${table.reference} is not null or ${table.status} in ('pending', 'failed'))`,
    ),
    index("payouts_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);

/** The months (their first days) for which payouts were made without being asked for. */
export const payoutRuns = pgTable("payout_runs", {
  month: date("month", { mode: "string" }).$type<CalendarDate>().primaryKey(),
  ranAt: instant("ran_at").notNull(),
});

/** What the sandbox's bank was sent: once for each payout. */
export const sandboxTransfers = pgTable("sandbox_transfers", {
  payoutId: uuid("payout_id").$type<PayoutId>().primaryKey(),
  token: text("token").notNull(),
  amountCents: cents("amount_cents").notNull(),
  receivedAt: instant("received_at").notNull(),
});

/** How far a payout is at Stripe: a transfer to the publisher's account there, and from it a payout to the bank. */
export const stripeTransfers = pgTable("stripe_transfers", {
  payoutId: uuid("payout_id")
    .$type<PayoutId>()
    .primaryKey()
    .references(() => payouts.id),
  /** A step that Stripe refused is tried again as another request. */
  attempt: smallint("attempt").notNull().default(0),
  transfer: text("transfer").unique("stripe_transfers_transfer"),
  bankPayout: text("bank_payout").unique("stripe_transfers_bank_payout"),
  /** Why it comes back: from then on the transfer is taken back. */
  failure: text("failure"),
});
