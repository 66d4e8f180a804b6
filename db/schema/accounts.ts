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
import { cents, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";

/** A tenant: one advertiser or one publisher. Every business row belongs to one. */
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
    /** Whether publishers may create campaigns for this advertiser. */
    allowsManagedCampaigns: boolean("allows_managed_campaigns").notNull().default(false),
    /** An advertiser's credit limit: it is invoiced for its spend. With 0 it prepays. */
    creditLimitCents: cents("credit_limit_cents").notNull().default(0),
    /** Whether its credit limit was ever changed: debt from credit is still invoiced after the limit is withdrawn. */
    hadCredit: boolean("had_credit").notNull().default(false),
    /** What a publisher pays its plan from. */
    planFundingSource: text("plan_funding_source").$type<PlanFunding>().notNull().default("payment_method"),
    /** One of the seeded demo tenants; the test-mode portals act as the first of their type. */
    isDemo: boolean("is_demo").notNull().default(false),
    createdAt: createdAt(),
    decidedAt: instant("decided_at"),
    /** When it was closed and its data erased. */
    closedAt: instant("closed_at"),
  },
  (table) => [
    oneOf("accounts_type", table.type, accountTypes),
    oneOf("accounts_status", table.status, accountStatuses),
    oneOf("accounts_business_vertical", table.businessVertical, businessVerticals),
    check(
      "accounts_numbers",
      sql`${table.monthlyBudgetCents} >= 0 and ${table.monthlyVisitors} >= 0 and ${table.monthlyPageviews} >= 0`,
    ),
    oneOf("accounts_plan_funding_source", table.planFundingSource, planFundings),
    check("accounts_earns", sql`${table.planFundingSource} = 'payment_method' or ${table.type} = 'publisher'`),
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

/**
 * A user. `googleSubject`, the subject at Google or a hash of that at another provider, is the key, because the email
 * address may change.
 */
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
    /** Whether the person hid the dashboard's list of first steps. */
    firstStepsHidden: boolean("first_steps_hidden").notNull().default(false),
    createdAt: createdAt(),
    /** When name, address and identity were erased; the row stays, because records refer to it. */
    erasedAt: instant("erased_at"),
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
 * Browsers that a user has signed in with. The hash covers the browser's own secret and the user's id, so that rows do
 * not show which users share a browser.
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

/** A sign-in attempt: used at most once, by the browser that started it, within ten minutes. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    stateHash: text("state_hash").primaryKey(),
    /** The identity provider that it was started with. */
    provider: text("provider").notNull().default("google"),
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

/** API keys. The secret is shown once; only its SHA-256 is stored. Operator keys belong to no account. */
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
    /** The first characters of the secret, which identify the key on the page. */
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

/**
 * The first response to a request with an `Idempotency-Key`, replayed to repeated requests for 72 hours, and
 * indefinitely where money moved.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** The account, user or operator key of the request; keys of different callers never conflict. */
    caller: text("caller").notNull(),
    key: text("key").notNull(),
    /** An HMAC of the SHA-256 hash of method, path and body; the hash itself in rows of earlier versions. */
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

/** Token buckets of rate limits, shared by all processes. `tokens` is in thousandths. */
export const rateLimits = pgTable("rate_limits", {
  bucket: text("bucket").primaryKey(),
  tokens: integer("tokens").notNull(),
  refilledAt: instant("refilled_at").notNull(),
});
