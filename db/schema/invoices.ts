import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AccountId, CampaignId, InvoiceCreditId, InvoiceId } from "#app/domain/ids.ts";
import { cents, instant, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { campaigns } from "./campaigns.ts";

/**
 * A monthly invoice (by the month's first day) of an advertiser with credit. Numbers have no gaps; `openCents` is the
 * unpaid amount.
 */
export const invoices = pgTable(
  "invoices",
  {
    id: primaryId<InvoiceId>(),
    number: integer("number").notNull().unique("invoices_number"),
    advertiserId: uuid("advertiser_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
    amountCents: cents("amount_cents").notNull(),
    openCents: cents("open_cents").notNull(),
    /** The part that is open again because its payment was reversed. */
    reopenedCents: cents("reopened_cents").notNull().default(0),
    issuedAt: instant("issued_at").notNull(),
    dueOn: date("due_on", { mode: "string" }).$type<CalendarDate>().notNull(),
    paidAt: instant("paid_at"),
  },
  (table) => [
    unique("invoices_of_month").on(table.advertiserId, table.month),
    unique("invoices_advertiser").on(table.advertiserId, table.id),
    check("invoices_amounts", sql`${table.amountCents} > 0 and ${table.openCents} between 0 and ${table.amountCents}`),
    check("invoices_reopened", sql`${table.reopenedCents} >= 0`),
    check("invoices_paid", sql`(${table.paidAt} is null) = (${table.openCents} > 0)`),
    index("invoices_open").on(table.advertiserId).where(sql`${table.openCents} > 0`),
  ],
);

/** The lines of an invoice: a campaign's spend or, without a campaign, earlier payments and credits. Insert-only. */
export const invoiceLines = pgTable(
  "invoice_lines",
  {
    invoiceId: uuid("invoice_id")
      .$type<InvoiceId>()
      .notNull()
      .references(() => invoices.id),
    number: integer("number").notNull(),
    campaignId: uuid("campaign_id")
      .$type<CampaignId>()
      .references(() => campaigns.id),
    description: text("description").notNull(),
    amountCents: cents("amount_cents").notNull(),
    /** The first day of the closed month whose spend the line adjusts; null for everything else. */
    adjustsMonth: date("adjusts_month", { mode: "string" }).$type<CalendarDate>(),
  },
  (table) => [
    primaryKey({ columns: [table.invoiceId, table.number] }),
    check("invoice_lines_amount", sql`${table.amountCents} <> 0`),
    check(
      "invoice_lines_adjusts",
      sql`${table.adjustsMonth} is null or (${table.campaignId} is not null and date_trunc('month', ${table.adjustsMonth}::timestamp) = ${table.adjustsMonth}::timestamp)`,
    ),
  ],
);

/** Credits that reduced an invoice without being its payment: a refund, restated spend, or the wallet. Insert-only. */
export const invoiceCredits = pgTable(
  "invoice_credits",
  {
    id: primaryId<InvoiceCreditId>(),
    invoiceId: uuid("invoice_id")
      .$type<InvoiceId>()
      .notNull()
      .references(() => invoices.id),
    amountCents: cents("amount_cents").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    check("invoice_credits_amount", sql`${table.amountCents} > 0`),
    index("invoice_credits_invoice").on(table.invoiceId),
  ],
);

/** The months (their first days) for which all invoices were issued. */
export const invoiceRuns = pgTable("invoice_runs", {
  month: date("month", { mode: "string" }).$type<CalendarDate>().primaryKey(),
  ranAt: instant("ran_at").notNull(),
});

/** One row, locked to assign the next invoice number, so that numbers have no gaps and no duplicates. */
export const invoiceNumbers = pgTable("invoice_numbers", {
  id: integer("id").primaryKey(),
  last: integer("last").notNull(),
});
