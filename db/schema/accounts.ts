import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type AccountStatus,
  type AccountType,
  accountStatuses,
  accountTypes,
  type BusinessVertical,
  businessVerticals,
} from "#app/domain/accounts/account.ts";
import { type PlanFunding, planFundings } from "#app/domain/billing/subscription/plan-funding.ts";
import type { AccountId, ApiKeyId, UserId } from "#app/domain/ids.ts";
import { cents, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/** A tenant: one advertiser or one publisher. All business rows belong to one. */
export const accounts = pgTable(
  "accounts",
  {
    id: primaryId<AccountId>(),
    type: text("type").$type<AccountType>().notNull(),
    status: text("status").$type<AccountStatus>().notNull(),
    companyName: text("company_name").notNull(),
    website: text("website"),
    businessVertical: text("business_vertical").$type<BusinessVertical>(),
    monthlyBudgetCents: cents("monthly_budget_cents"),
    monthlyVisitors: bigint("monthly_visitors", { mode: "number" }),
    monthlyPageviews: bigint("monthly_pageviews", { mode: "number" }),
    /** An advertiser's switch: publishers may create campaigns for it. */
    allowsManagedCampaigns: boolean("allows_managed_campaigns").notNull().default(false),
    /** What an advertiser may owe: it is invoiced for it. Without one it pays first. */
    creditLimitCents: cents("credit_limit_cents").notNull().default(0),
    /** What a publisher pays its plan from. */
    planPaidFrom: text("plan_paid_from").$type<PlanFunding>().notNull().default("payment_method"),
    /** One of the seeded demo tenants; the test-mode portals act as the first of their type. */
    isDemo: boolean("is_demo").notNull().default(false),
    createdAt: createdAt(),
    decidedAt: instant("decided_at"),
  },
  (table) => [
    oneOf("accounts_type", table.type, accountTypes),
    oneOf("accounts_status", table.status, accountStatuses),
    oneOf("accounts_business_vertical", table.businessVertical, businessVerticals),
    check(
      "accounts_numbers",
      sql`${table.monthlyBudgetCents} >= 0 and ${table.monthlyVisitors} >= 0 and ${table.monthlyPageviews} >= 0`,
    ),
    oneOf("accounts_plan_paid_from", table.planPaidFrom, planFundings),
    check("accounts_earns", sql`${table.planPaidFrom} = 'payment_method' or ${table.type} = 'publisher'`),
    check(
      "accounts_credit_limit",
      sql`${table.creditLimitCents} between 0 and case when ${table.type} = 'advertiser' then 1000000000 else 0 end`,
    ),
    index("accounts_managed_by_name")
      .on(table.companyName, table.id)
      .where(sql`${table.allowsManagedCampaigns} and ${table.type} = 'advertiser' and ${table.status} = 'approved'`),
    uniqueIndex("accounts_id_type").on(table.id, table.type),
  ],
);

/** A person who signs in. `googleSubject` is the key, not the address, which may change. */
export const users = pgTable(
  "users",
  {
    id: primaryId<UserId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    googleSubject: text("google_subject").notNull().unique(),
    email: text("email").notNull(),
    name: text("name").notNull(),
    picture: text("picture"),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("users_email").on(sql`lower(${table.email})`), index("users_account").on(table.accountId)],
);

/** A signed-in browser. `tokenHash` is the SHA-256 (hex) of the cookie's 256 random bits. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: uuid("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    lastSeenAt: instant("last_seen_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    userAgent: text("user_agent"),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expiry").on(table.expiresAt)],
);

/**
 * Browsers that a person has signed in with. The hash is of the browser's own secret and the person's id together, so that the
 * people of one browser cannot be told from rows to share it.
 */
export const signInDevices = pgTable(
  "sign_in_devices",
  {
    userId: uuid("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    deviceHash: text("device_hash").notNull(),
    lastUsedAt: instant("last_used_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.deviceHash] }),
    index("sign_in_devices_age").on(table.lastUsedAt),
  ],
);

/** A sign-in under way: used at most once, by the browser that began it, within ten minutes. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    stateHash: text("state_hash").primaryKey(),
    browserHash: text("browser_hash").notNull(),
    codeVerifier: text("code_verifier").notNull(),
    nonce: text("nonce").notNull(),
    redirectTo: text("redirect_to"),
    createdAt: createdAt(),
    usedAt: instant("used_at"),
  },
  (table) => [
    index("sign_in_attempts_browser").on(table.browserHash, table.createdAt),
    index("sign_in_attempts_age").on(table.createdAt),
  ],
);

/** Keys of programs. The secret is shown once; only its SHA-256 is kept. Operator keys belong to no account. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: primaryId<ApiKeyId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    role: text("role").$type<"tenant" | "operator">().notNull(),
    name: text("name").notNull(),
    secretHash: text("secret_hash").notNull().unique(),
    /** The first characters of the secret, to tell keys apart on the page. */
    prefix: text("prefix").notNull(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
    createdAt: createdAt(),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    oneOf("api_keys_role", table.role, ["tenant", "operator"]),
    check("api_keys_owner", sql`(${table.role} = 'operator') = (${table.accountId} is null)`),
    index("api_keys_account").on(table.accountId, table.createdAt),
  ],
);

/** The first answer to a call that carried an `Idempotency-Key`, replayed to its repetitions for 72 hours, and for ever where money moved. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Account, user or operator key the call came from: one caller's keys never meet another's. */
    caller: text("caller").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text("request_hash").notNull(),
    responseStatus: integer("response_status"),
    responseBody: text("response_body"),
    movesMoney: boolean("moves_money").notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("idempotency_keys_caller_key").on(table.caller, table.key),
    index("idempotency_keys_age").on(table.createdAt).where(sql`not ${table.movesMoney}`),
  ],
);

/** Token buckets, shared by all processes. `tokens` is in thousandths. */
export const rateLimits = pgTable("rate_limits", {
  bucket: text("bucket").primaryKey(),
  tokens: integer("tokens").notNull(),
  refilledAt: instant("refilled_at").notNull(),
});
