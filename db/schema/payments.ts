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
} from "#app/domain/billing/payments/payment-method.ts";
import type { AccountId, PaymentMethodId } from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/**
 * A way to pay: what one needs to know it again, and the provider's token, sealed for this row (docs/decisions/0013) and gone once
 * it is removed. The row stays for the payments that were made with it.
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
    // No longer than it may be used.
    check("payment_methods_default_is_there", sql`${table.token} is not null or not ${table.isDefault}`),
  ],
);

/** Which customer an account is at who takes its money, from the first time it adds a way to pay. */
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

/** Somebody went to the provider's page to add a way to pay; once it is added, as which. */
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

/** What a provider told by itself, each message once: a repetition of one that was done has no effect. */
export const providerEvents = pgTable(
  "provider_events",
  {
    provider: text("provider").$type<PaymentProviderName>().notNull(),
    reference: text("reference").notNull(),
    type: text("type").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** Null until all that it asks for is done. */
    doneAt: instant("done_at"),
  },
  (table) => [
    uniqueIndex("provider_events_once").on(table.provider, table.reference),
    oneOf("provider_events_provider", table.provider, paymentProviders),
    index("provider_events_received").on(table.receivedAt),
  ],
);
