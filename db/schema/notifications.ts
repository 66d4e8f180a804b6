import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { AccountId, CampaignId, MailId, NotificationId, UserId } from "#app/domain/ids.ts";
import { type MailDelivery, mailDeliveries } from "#app/domain/notifications/mail-settings.ts";
import {
  type MailState,
  mailStates,
  type NotificationEvent,
  type NotificationFacts,
  notificationEvents,
} from "#app/domain/notifications/notification.ts";
import { accounts, users } from "./accounts.ts";
import { allOf, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/** What an account is told, once for each event. Written in the transaction of what it tells. */
export const notifications = pgTable(
  "notifications",
  {
    id: primaryId<NotificationId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    event: text("event").$type<NotificationEvent>().notNull(),
    eventKey: text("event_key").notNull(),
    /** No foreign key: a notice outlives a draft. */
    campaignId: uuid("campaign_id").$type<CampaignId>(),
    /** What it is about: a campaign's line item, a payout, an account. */
    subjectId: uuid("subject_id").notNull(),
    facts: jsonb("facts").$type<NotificationFacts>().notNull(),
    createdAt: createdAt(),
    readAt: instant("read_at"),
  },
  (table) => [
    unique("notifications_once").on(table.accountId, table.eventKey),
    oneOf("notifications_event", table.event, notificationEvents),
    index("notifications_account").on(table.accountId, table.id),
    index("notifications_unread").on(table.accountId).where(sql`${table.readAt} is null`),
  ],
);

/** The outbox: a notice to one person by mail. The address is the one that the person had then. */
export const mails = pgTable(
  "mails",
  {
    id: primaryId<MailId>(),
    notificationId: uuid("notification_id")
      .$type<NotificationId>()
      .notNull()
      .references(() => notifications.id),
    userId: uuid("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    address: text("address").notNull(),
    state: text("state").$type<MailState>().notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Why the last attempt failed, in our words. */
    lastError: text("last_error"),
    createdAt: createdAt(),
    attemptedAt: instant("attempted_at"),
    sentAt: instant("sent_at"),
    /** The daily mail that it is part of: one of them carries the others, and is its own. */
    digestId: uuid("digest_id")
      .$type<MailId>()
      .references((): AnyPgColumn => mails.id),
  },
  (table) => [
    unique("mails_once").on(table.notificationId, table.userId),
    oneOf("mails_state", table.state, mailStates),
    check("mails_sent", sql`(${table.state} = 'sent') = (${table.sentAt} is not null)`),
    check("mails_attempts", sql`${table.attempts} >= 0`),
    check("mails_gathered", sql`(${table.state} = 'gathered') = coalesce(${table.digestId} <> ${table.id}, false)`),
    index("mails_digest").on(table.digestId).where(sql`${table.digestId} is not null`),
    index("mails_gathering").on(table.userId, table.id).where(sql`${table.state} = 'gathering'`),
    index("mails_unsent").on(table.state, table.id).where(sql`${table.state} in ('waiting', 'sending', 'parked')`),
  ],
);

/** How a person gets its mails; without a row as by default. `muted` are the events that it wants no mails of. */
export const mailSettings = pgTable(
  "mail_settings",
  {
    userId: uuid("user_id")
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    delivery: text("delivery").$type<MailDelivery>().notNull().default("at_once"),
    /** A name of the IANA list. */
    timeZone: text("time_zone").notNull().default("UTC"),
    muted: text("muted").array().$type<NotificationEvent[]>().notNull().default(sql`'{}'`),
  },
  (table) => [
    oneOf("mail_settings_delivery", table.delivery, mailDeliveries),
    allOf("mail_settings_muted", table.muted, notificationEvents),
    check("mail_settings_time_zone", sql`${table.timeZone} ~ '^[A-Za-z0-9_+/-]{1,64}$'`),
  ],
);
