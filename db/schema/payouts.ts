import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, smallint, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import {
  type ConnectedAccountState,
  connectedAccountStates,
  openPayoutStatuses,
  type PayoutStatus,
  payoutStatuses,
} from "#app/domain/billing/payouts/payout.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AccountId, PayoutId } from "#app/domain/ids.ts";
import { type PayoutProviderName, payoutProviders } from "#app/domain/payments/payout-provider-name.ts";
import { cents, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";

/** A publisher's payout account: the provider's reference and the display data. Never the account number. */
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

/** A publisher's Stripe account, from its first visit on, with its status as last fetched. */
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
    requirementsDueBy: instant("requirements_due_by"),
    /** An answer to an older question changes nothing. */
    syncedAt: instant("synced_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [oneOf("connected_accounts_state", table.state, connectedAccountStates)],
);

/** A payout with the payout account as it was. At most one of a publisher's payouts is pending. */
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
    /** The first day of the month of an automatic payout; null for a requested one. */
    scheduledFor: date("scheduled_for", { mode: "string" }).$type<CalendarDate>(),
    provider: text("provider").$type<PayoutProviderName>().notNull(),
    token: text("token").notNull(),
    bank: text("bank").notNull(),
    lastFour: text("last_four").notNull(),
    /** The provider's id, once it accepted the payout. */
    reference: text("reference"),
    /** Why it was returned. */
    failure: text("failure"),
    /** When it is sent or checked next; also set for an arrived payout while the bank may still return it. */
    dueAt: instant("due_at"),
    failures: integer("failures").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
    /** When it was returned after it had arrived. */
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

/** The months (their first days) for which automatic payouts were created. */
export const payoutRuns = pgTable("payout_runs", {
  month: date("month", { mode: "string" }).$type<CalendarDate>().primaryKey(),
  ranAt: instant("ran_at").notNull(),
});

/** The transfers sent to the sandbox's bank, one per payout. */
export const sandboxTransfers = pgTable("sandbox_transfers", {
  payoutId: uuid("payout_id").$type<PayoutId>().primaryKey(),
  token: text("token").notNull(),
  amountCents: cents("amount_cents").notNull(),
  receivedAt: instant("received_at").notNull(),
});

/**
 * The progress of a payout at Stripe: a transfer to the publisher's account there, and from it a payout to the bank.
 */
export const stripeTransfers = pgTable("stripe_transfers", {
  payoutId: uuid("payout_id")
    .$type<PayoutId>()
    .primaryKey()
    .references(() => payouts.id),
  /** A step that Stripe rejected is retried as a new request. */
  attempt: smallint("attempt").notNull().default(0),
  transfer: text("transfer").unique("stripe_transfers_transfer"),
  bankPayout: text("bank_payout").unique("stripe_transfers_bank_payout"),
  /** Why the payout is returned: from then on the transfer is reversed. */
  failure: text("failure"),
});
