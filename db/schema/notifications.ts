import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { AccountId, CampaignId, MailFeedbackId, MailId, NotificationId, UserId } from "#app/domain/ids.ts";
import {
  type MailFeedbackKind,
  mailFeedbackKinds,
  type SuppressionReason,
  statusPattern,
  suppressionReasons,
} from "#app/domain/notifications/feedback/mail-feedback.ts";
import { type MailDelivery, mailDeliveries } from "#app/domain/notifications/mail-settings.ts";
import {
  type MailState,
  mailStates,
  type NotificationEvent,
  type NotificationFacts,
  notificationEvents,
} from "#app/domain/notifications/notification.ts";
import { allOf, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

/** The notifications of an account, one per event. Inserted in the transaction of the event. */
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
    /** No foreign key: a notification outlives a draft. */
    campaignId: uuid("campaign_id").$type<CampaignId>(),
    /** Its subject: a campaign's line item, a payout, an account. */
    subjectId: uuid("subject_id").notNull(),
    facts: jsonb("facts").$type<NotificationFacts>().notNull(),
    createdAt: createdAt(),
    readAt: instant("read_at"),
  },
  (table) => [
    unique("notifications_once").on(table.accountId, table.eventKey),
    oneOf("notifications_event", table.event, notificationEvents),
    index("notifications_account").on(table.accountId, table.id),
    index("notifications_age").on(table.createdAt),
    index("notifications_unread").on(table.accountId).where(sql`${table.readAt} is null`),
  ],
);

/**
 * The outbox: a notification to one user by mail, with the user's email address at that time; empty once it is old.
 * Partitioned by the month of its id, which has the time of the notification's (docs/decisions/0111): all mails of a
 * notification are in one partition, and each partition has the key `mails_once`.
 */
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
    /** Why the last attempt failed, as our own message. */
    lastError: text("last_error"),
    createdAt: createdAt(),
    attemptedAt: instant("attempted_at"),
    sentAt: instant("sent_at"),
    /**
     * The daily digest that it is part of: one mail carries the others and is its own digest. No foreign key: the
     * digest may be of the month after.
     */
    digestId: uuid("digest_id").$type<MailId>(),
  },
  (table) => [
    unique("mails_once").on(table.notificationId, table.userId),
    oneOf("mails_state", table.state, mailStates),
    check("mails_sent", sql`(${table.state} = 'sent') = (${table.sentAt} is not null)`),
    check("mails_attempts", sql`${table.attempts} >= 0`),
    check("mails_in_digest", sql`(${table.state} = 'in_digest') = coalesce(${table.digestId} <> ${table.id}, false)`),
    index("mails_with_address").on(table.createdAt).where(sql`${table.address} <> ''`),
    index("mails_digest").on(table.digestId).where(sql`${table.digestId} is not null`),
    index("mails_awaiting_digest").on(table.userId, table.id).where(sql`${table.state} = 'awaiting_digest'`),
    index("mails_unsent").on(table.state, table.id).where(sql`${table.state} in ('waiting', 'sending', 'failed')`),
  ],
);

function enhancedStatus(name: string, column: AnyPgColumn) {
  return check(name, sql`${column} ~ ${sql.raw(`'${statusPattern.source}'`)}`);
}

/**
 * What mail servers reported about a mail, once for each kind. Partitioned as the mails are; the foreign key is one of
 * each partition to the mails of the same month.
 */
export const mailFeedback = pgTable(
  "mail_feedback",
  {
    id: uuid("id").$type<MailFeedbackId>().notNull(),
    mailId: uuid("mail_id")
      .$type<MailId>()
      .notNull()
      .references(() => mails.id, { onDelete: "cascade" }),
    kind: text("kind").$type<MailFeedbackKind>().notNull(),
    /** The enhanced status code (RFC 3463). The server's text is not stored: it names the address. */
    status: text("status"),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "mail_feedback_pk", columns: [table.mailId, table.kind] }),
    oneOf("mail_feedback_kind", table.kind, mailFeedbackKinds),
    enhancedStatus("mail_feedback_status", table.status),
  ],
);

/** A person whose emails are held back while the person has this address, until the address is confirmed. */
export const mailSuppressions = pgTable(
  "mail_suppressions",
  {
    userId: uuid("user_id")
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    address: text("address").notNull(),
    reason: text("reason").$type<SuppressionReason>().notNull(),
    status: text("status"),
    suppressedAt: instant("suppressed_at").notNull(),
    /** When the address was confirmed. Later reports about mails from before do not count. */
    liftedAt: instant("lifted_at"),
  },
  (table) => [
    oneOf("mail_suppressions_reason", table.reason, suppressionReasons),
    enhancedStatus("mail_suppressions_status", table.status),
    index("mail_suppressions_open").on(table.suppressedAt).where(sql`${table.liftedAt} is null`),
  ],
);

/** A user's mail settings; without a row, the defaults apply. `muted` are the events that send no mails. */
export const mailSettings = pgTable(
  "mail_settings",
  {
    userId: uuid("user_id")
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    delivery: text("delivery").$type<MailDelivery>().notNull().default("immediate"),
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
