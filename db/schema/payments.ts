import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type PaymentMethodType,
  type PaymentProviderName,
  paymentMethodTypes,
  paymentProviders,
} from "#app/domain/billing/payment-methods/payment-method.ts";
import type { AccountId, PaymentMethodId } from "#app/domain/ids.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";

/**
 * A payment method: its display data and the provider's token, encrypted for this row (docs/decisions/0013) and deleted
 * when the method is removed. The row remains for the payments that used it.
 */
export const paymentMethods = pgTable(
  "payment_methods",
  {
    id: primaryId<PaymentMethodId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    type: text("type").$type<PaymentMethodType>().notNull(),
    brand: text("brand").notNull(),
    lastFour: text("last_four").notNull(),
    expiresMonth: smallint("expires_month").notNull(),
    expiresYear: smallint("expires_year").notNull(),
    token: bytes("token"),
    isDefault: boolean("is_default").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("payment_methods_account_id").on(table.accountId, table.id),
    uniqueIndex("payment_methods_default").on(table.accountId).where(sql`${table.isDefault}`),
    oneOf("payment_methods_provider", table.provider, paymentProviders),
    oneOf("payment_methods_type", table.type, paymentMethodTypes),
    check(
      "payment_methods_card",
      sql`${table.lastFour} ~ '^[0-9]{4}$' and ${table.expiresMonth} between 1 and 12 and ${table.expiresYear} between 2000 and 2199`,
    ),
    // A default method must have a token.
    check("payment_methods_default_is_there", sql`${table.token} is not null or not ${table.isDefault}`),
  ],
);

/** The customer id of an account at the payment provider, from the first time it adds a payment method. */
export const paymentCustomers = pgTable(
  "payment_customers",
  {
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    reference: text("reference").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("payment_customers_account").on(table.provider, table.accountId),
    uniqueIndex("payment_customers_reference").on(table.provider, table.reference),
    oneOf("payment_customers_provider", table.provider, paymentProviders),
  ],
);

/** A visit to the provider's page to add a payment method, and the resulting method. */
export const paymentSetups = pgTable(
  "payment_setups",
  {
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    reference: text("reference").notNull(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    paymentMethodId: uuid("payment_method_id").$type<PaymentMethodId>(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("payment_setups_reference").on(table.provider, table.reference),
    oneOf("payment_setups_provider", table.provider, paymentProviders),
    foreignKey({
      name: "payment_setups_account",
      columns: [table.accountId],
      foreignColumns: [accounts.id],
    }),
    foreignKey({
      name: "payment_setups_method",
      columns: [table.accountId, table.paymentMethodId],
      foreignColumns: [paymentMethods.accountId, paymentMethods.id],
    }),
  ],
);

/** Webhook events of a provider, each processed once; repeated deliveries have no effect. */
export const providerEvents = pgTable(
  "provider_events",
  {
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    reference: text("reference").notNull(),
    type: text("type").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** Null until all that it asks for is done. */
    processedAt: instant("processed_at"),
  },
  (table) => [
    uniqueIndex("provider_events_once").on(table.provider, table.reference),
    oneOf("provider_events_provider", table.provider, paymentProviders),
    index("provider_events_received").on(table.receivedAt),
  ],
);
