import { sql } from "drizzle-orm";
import { check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { type SandboxToken, sandboxTokens } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import { instant, oneOf } from "#db/columns.ts";

/** The sandbox's own data, which stands in for a payment provider; no other code reads it. */

/** A visit to the page where a card is chosen. */
export const sandboxSetupSessions = pgTable(
  "sandbox_setup_sessions",
  {
    id: text("id").primaryKey(),
    owner: text("owner").notNull(),
    returnPath: text("return_path").notNull(),
    cancelPath: text("cancel_path").notNull(),
    card: text("card").$type<SandboxToken>(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [oneOf("sandbox_setup_sessions_card", table.card, sandboxTokens)],
);

const states = ["succeeded", "declined", "needs_confirmation"] as const;

/** A payment by its idempotency key: the same key is the same payment. */
export const sandboxPayments = pgTable(
  "sandbox_payments",
  {
    id: text("id").primaryKey(),
    key: text("key").notNull().unique("sandbox_payments_key"),
    /** The hash of amount, card and description: the same key with other values is an error. */
    requestHash: text("request_hash").notNull(),
    amountCents: integer("amount_cents").notNull(),
    description: text("description").notNull(),
    card: text("card").$type<SandboxToken>().notNull(),
    state: text("state").$type<(typeof states)[number]>().notNull(),
    reason: text("reason"),
    returnPath: text("return_path").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    oneOf("sandbox_payments_card", table.card, sandboxTokens),
    oneOf("sandbox_payments_state", table.state, states),
    check("sandbox_payments_amount", sql`${table.amountCents} > 0`),
  ],
);

export const sandboxRefunds = pgTable(
  "sandbox_refunds",
  {
    key: text("key").primaryKey(),
    paymentId: text("payment_id")
      .notNull()
      .references(() => sandboxPayments.id),
    amountCents: integer("amount_cents").notNull(),
  },
  (table) => [check("sandbox_refunds_amount", sql`${table.amountCents} > 0`)],
);
