import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { AccountId, UserId, WebhookDeliveryId, WebhookId } from "#app/domain/ids.ts";
import {
  type WebhookDeliveryState,
  type WebhookState,
  webhookDeliveryStates,
  webhookStates,
} from "#app/domain/webhooks/webhook.ts";
import type { WebhookEvent } from "#app/domain/webhooks/webhook-events.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

/** A webhook endpoint of an account. The secret is encrypted for this row (docs/decisions/0013). */
export const webhooks = pgTable(
  "webhooks",
  {
    id: primaryId<WebhookId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    url: text("url").notNull(),
    events: text("events").array().$type<WebhookEvent[]>().notNull(),
    secret: bytes("secret").notNull(),
    /** The secret before the rotation; it signs too until it expires (docs/decisions/0125). */
    previousSecret: bytes("previous_secret"),
    previousSecretExpiresAt: instant("previous_secret_expires_at"),
    state: text("state").$type<WebhookState>().notNull().default("active"),
    /** Deliveries in a row that failed after all their attempts. */
    consecutiveFailures: integer("consecutive_failures").notNull().default(0),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    unique("webhooks_of_account").on(table.id, table.accountId),
    oneOf("webhooks_state", table.state, webhookStates),
    check("webhooks_url", sql`${table.url} ~ '^https?://'`),
    check("webhooks_events", sql`cardinality(${table.events}) > 0`),
    check("webhooks_consecutive_failures", sql`${table.consecutiveFailures} >= 0`),
    check(
      "webhooks_previous_secret",
      sql`(${table.previousSecret} is null) = (${table.previousSecretExpiresAt} is null)`,
    ),
    index("webhooks_account").on(table.accountId, table.id),
    index("webhooks_previous_secret_expires")
      .on(table.previousSecretExpiresAt)
      .where(sql`${table.previousSecretExpiresAt} is not null`),
  ],
);

/**
 * The delivery of an event to a webhook, inserted in the transaction of the event and deleted with the webhook. `body`
 * is sent unchanged at every attempt; the response body is never stored.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: primaryId<WebhookDeliveryId>(),
    webhookId: uuid("webhook_id").$type<WebhookId>().notNull(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    /** The event's notification, or a test. No foreign key: it may outlive the notification. */
    eventId: uuid("event_id").notNull(),
    event: text("event").notNull(),
    body: text("body").notNull(),
    state: text("state").$type<WebhookDeliveryState>().notNull(),
    /** Attempts since it was created, or since it was last resent manually. */
    attempts: integer("attempts").notNull().default(0),
    /** The status of the last response; null when there was none. */
    lastStatus: integer("last_status"),
    /** Why the last attempt failed, as our own message. */
    lastError: text("last_error"),
    createdAt: createdAt(),
    attemptedAt: instant("attempted_at"),
    nextTryAt: instant("next_try_at"),
    deliveredAt: instant("delivered_at"),
  },
  (table) => [
    foreignKey({
      name: "webhook_deliveries_webhook",
      columns: [table.webhookId, table.accountId],
      foreignColumns: [webhooks.id, webhooks.accountId],
    }).onDelete("cascade"),
    unique("webhook_deliveries_once").on(table.webhookId, table.eventId),
    oneOf("webhook_deliveries_state", table.state, webhookDeliveryStates),
    check("webhook_deliveries_delivered", sql`(${table.state} = 'delivered') = (${table.deliveredAt} is not null)`),
    check("webhook_deliveries_next", sql`(${table.state} = 'waiting') = (${table.nextTryAt} is not null)`),
    check("webhook_deliveries_attempts", sql`${table.attempts} >= 0`),
    index("webhook_deliveries_webhook_newest").on(table.webhookId, table.id),
    index("webhook_deliveries_open")
      .on(table.state, table.attemptedAt)
      .where(sql`${table.state} in ('waiting', 'sending')`),
    index("webhook_deliveries_age").on(table.createdAt),
  ],
);
