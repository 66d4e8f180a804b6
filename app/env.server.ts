import { isIPv4, isIPv6 } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { withRootCertificate } from "#db/connection-target.server.ts";
import { oidcProvidersSchema } from "./domain/accounts/sign-in/oidc-config.ts";
import { defaultMonthClosingDays } from "./domain/billing/ledger/month-closing.ts";
import { appName } from "./domain/branding.ts";
import { retentionDefaults, retentionLimits } from "./domain/privacy/retention.ts";
import type { LogFormat } from "./log-format.ts";
import { findPersistentSecret, persistentSecret } from "./persistent-secret.server.ts";
import { StartupError } from "./startup-error.ts";
import type { S3Settings } from "./storage/s3-storage.server.ts";

export type Env = Omit<ReturnType<typeof parseEnv>, keyof GivenSecrets> & {
  /** Newest first: the first one signs, all of them verify (docs/decisions/0046). */
  sessionSecrets: string[];
  /** The session secret has just been generated, so nothing is signed or encrypted with it yet. */
  isSessionSecretNew: boolean;
  /** Newest first: the first one encrypts stored credentials, all of them decrypt. */
  encryptionSecrets: string[];
};

type GivenSecrets = {
  sessionSecret: string | undefined;
  previousSessionSecrets: string[];
  encryptionKey: string | undefined;
  previousEncryptionKeys: string[];
};

let parsed: Env | undefined;

/**
 * Returns the environment, validated once. A lint rule prevents other files from reading `process.env`; `.env.example`
 * documents each variable. Throws a StartupError that names the variable. Generates and stores a session secret in
 * `dataDir` when none is set.
 */
export function env(): Env {
  parsed ??= readEnv(process.env);
  return parsed;
}

/** Like `env()`, for other variables than the process's. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { sessionSecret, previousSessionSecrets, encryptionKey, previousEncryptionKeys, ...read } = parseEnv(source);
  const isSessionSecretNew = !sessionSecret && findPersistentSecret(read.dataDir, sessionSecretFile) === undefined;
  const sessionSecrets = [...currentSessionSecrets(read.dataDir, sessionSecret), ...previousSessionSecrets];
  const encryptionSecrets = encryptionKey
    ? [encryptionKey, ...previousEncryptionKeys, ...sessionSecrets]
    : [...sessionSecrets, ...previousEncryptionKeys];
  return { ...read, sessionSecrets, isSessionSecretNew, encryptionSecrets };
}

const sessionSecretFile = "session-secret";

/** A generated secret still verifies after SESSION_SECRET is set, as long as its file exists. */
function currentSessionSecrets(dataDir: string, configured: string | undefined): string[] {
  if (!configured) return [persistentSecret(dataDir, sessionSecretFile)];
  const generated = findPersistentSecret(dataDir, sessionSecretFile);
  return generated ? [configured, generated] : [configured];
}

function parseEnv(source: Record<string, string | undefined>) {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const result = schema.safeParse(filled);
  if (!result.success) {
    throw new StartupError(result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join("\n"));
  }
  const values = result.data;
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const google = googleOf(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET);
  const oidcProviders = values.OIDC_PROVIDERS;
  const isLocal = isLoopback(publicUrl);
  // Anyone can sign in as anyone with the stand-in, so a server with real providers has none unless it is asked for.
  const hasStandIn = !google && (Boolean(values.ALLOW_STANDIN_SIGNIN) || (isLocal && oidcProviders.length === 0));
  if (!google && !hasStandIn && oidcProviders.length === 0) {
    throw new StartupError(
      `PUBLIC_URL: ${publicUrl} is not a local address, and without an identity provider anyone can sign in as any user. ` +
        "Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or OIDC_PROVIDERS, or set ALLOW_STANDIN_SIGNIN=1 to allow this.",
    );
  }
  requireOtherSettings(values);
  if (values.ALLOW_PRIVATE_OUTBOUND && !isLocal) {
    throw new StartupError(
      `ALLOW_PRIVATE_OUTBOUND: not allowed because ${publicUrl} is not a local address. Anyone with an account could reach your private network.`,
    );
  }
  const withCa = (url: string | undefined) => url && withRootCertificate(url, values.DATABASE_CA_FILE);
  const payments = paymentsOf(values, { hasStandIn });
  if (values.DEMO_DATA && payments !== "sandbox") {
    throw new StartupError("DEMO_DATA: demo accounts need PAYMENTS=sandbox");
  }
  if (values.SIMULATED_DELIVERY && stripeOf(values)?.secretKey.includes("_live_")) {
    throw new StartupError("SIMULATED_DELIVERY: can't be on with a live key, because it would be charged");
  }
  return {
    port: values.PORT,
    host: values.HOST,
    /** An origin, without a trailing slash. */
    publicUrl,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: withCa(values.DATABASE_URL),
    /** Undefined: DATABASE_URL is the owner's. */
    databaseOwnerUrl: withCa(values.DATABASE_OWNER_URL),
    /** The database without a pooler, for sessions. Undefined: DATABASE_URL has sessions. */
    directDatabaseUrl: withCa(values.DIRECT_DATABASE_URL),
    /** A streaming replica, which answers reads that may be stale. Undefined: the database answers all. */
    databaseReplicaUrl: withCa(values.DATABASE_REPLICA_URL),
    /** A replica that is further behind is not used. */
    databaseReplicaMaxLagSeconds: values.DATABASE_REPLICA_MAX_LAG_SECONDS,
    /** Whether statements are prepared; undefined: if the connections keep them. */
    databasePrepare: values.DATABASE_PREPARE,
    /** How long a start waits for a database that does not respond yet. */
    databaseWaitSeconds: values.DATABASE_WAIT_SECONDS,
    sessionSecret: values.SESSION_SECRET,
    previousSessionSecrets: values.SESSION_SECRET_PREVIOUS,
    encryptionKey: values.ENCRYPTION_KEY,
    previousEncryptionKeys: values.ENCRYPTION_KEY_PREVIOUS,
    /** Whether stores and other external servers may have private or local addresses. */
    allowPrivateOutbound: values.ALLOW_PRIVATE_OUTBOUND,
    /** Undefined: uploaded files are stored in `dataDir`. */
    s3: s3Of(values),
    /** Where new blocks of audiences are stored: in rows of the database, or in objects beside the uploaded files. */
    audienceStore: values.AUDIENCE_STORE,
    /** The storage quota of an account's creatives, in bytes. */
    creativeQuota: values.CREATIVE_QUOTA_MB * 1024 * 1024,
    /** Origins of external APIs; undefined: the documented ones. */
    apiOrigins: {
      klaviyo: values.KLAVIYO_URL,
      hubspot: values.HUBSPOT_URL,
      googleAds: values.GOOGLE_ADS_URL,
      googleDataManager: values.GOOGLE_DATA_MANAGER_URL,
      googleSignIn: values.GOOGLE_TOKEN_URL,
      meta: values.META_URL,
    },
    /** How many days after its end a month is closed: later changes of its spend are adjustments. */
    monthClosingDays: values.MONTH_CLOSING_DAYS,
    retentionDays: {
      mailAddresses: values.MAIL_ADDRESS_RETENTION_DAYS,
      notifications: values.NOTIFICATION_RETENTION_DAYS,
      webhookDeliveries: values.WEBHOOK_DELIVERY_RETENTION_DAYS,
      unregisteredPeople: values.UNREGISTERED_RETENTION_DAYS,
    },
    /** The payment provider: Stripe, the sandbox (test cards, no money), or none. */
    payments,
    /** With `connectSecret`, Stripe also sends payouts. */
    stripe: stripeOf(values),
    /** Undefined: mails are stored but not sent. */
    smtpUrl: values.SMTP_URL,
    /** The sender of all mails. */
    mailFrom: values.MAIL_FROM ?? `${appName} <support@${new URL(publicUrl).hostname}>`,
    /** The address that bounces go to, which gets a token for each mail; undefined: they go to the sender. */
    mailReturnPath: values.MAIL_RETURN_PATH,
    /** The bearer token of reports about sent mails; undefined: they are not accepted. */
    mailFeedbackSecret: values.MAIL_FEEDBACK_SECRET,
    /** The contact for vulnerability reports; undefined: there is no security.txt. */
    securityContact: values.SECURITY_CONTACT,
    /** Where people ask for help; undefined: the help page names nobody. */
    supportContact: values.SUPPORT_CONTACT,
    /** How long a server that was told to stop is not ready and still serves requests. */
    drainSeconds: values.DRAIN_SECONDS,
    /** Where the worker's own process serves its health; undefined: nowhere. */
    workerHealthPort: values.WORKER_HEALTH_PORT,
    /** Whether this process also runs the jobs; otherwise `npm run worker` does. */
    worker: values.WORKER,
    /** Undefined: nobody signs in with Google. */
    google,
    /** Other providers that people sign in with. */
    oidcProviders,
    /** Whether the stand-in for Google is there, which lets anyone sign in as anyone. */
    hasStandIn,
    testMode: values.TEST_MODE ?? hasStandIn,
    demoData: values.DEMO_DATA ?? (!values.DATABASE_URL && payments === "sandbox"),
    /** Whether channels without a connected account report simulated delivery, which is charged like any other. */
    simulatedDelivery: values.SIMULATED_DELIVERY ?? payments === "sandbox",
    accountApproval: values.ACCOUNT_APPROVAL ?? (hasStandIn ? ("auto" as const) : ("manual" as const)),
    rateLimits: values.RATE_LIMITS,
    /** The factor that all rate limits are multiplied by. */
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    /** Networks whose X-Forwarded-For header is trusted. */
    trustedProxies: values.TRUSTED_PROXIES ?? (isLocal ? [] : loopbackNetworks),
    /** Whether the ids of requests and traces are adopted that these proxies send. */
    adoptsRequestIds: values.PROXY_REQUEST_IDS,
    logLevel: values.LOG_LEVEL,
    /** How log lines are written: as JSON, or as text for a person, perhaps with colors. */
    logFormat: logFormatOf(values.LOG_FORMAT),
    /** A statement that takes this long is logged, in milliseconds; 0: never. */
    slowQueryMs: values.SLOW_QUERY_MS,
    /** Where `/metrics` is served, and the bearer token that it requires; undefined: nowhere. */
    metrics: metricsOf(values),
    /** The OTLP/HTTP collector that receives traces; undefined: none are made. */
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    /**
     * After how long a blocked event loop is logged, and after how long the process exits, in milliseconds; 0: never.
     */
    watchdog: { warnMs: values.WATCHDOG_WARN_MS, killMs: values.WATCHDOG_KILL_MS },
    isProduction: values.NODE_ENV === "production",
  };
}

/** Throws a StartupError for a setting that is given without another one that it needs. */
function requireOtherSettings(values: z.output<typeof schema>): void {
  if (values.DATABASE_URL && !values.SESSION_SECRET) {
    throw new StartupError(
      "SESSION_SECRET: required with DATABASE_URL. Use the same value on all servers that share the database.",
    );
  }
  if (values.DATABASE_OWNER_URL && !values.DATABASE_URL) {
    throw new StartupError("DATABASE_URL: required with DATABASE_OWNER_URL, with the server's own role");
  }
  if (values.DIRECT_DATABASE_URL && !values.DATABASE_URL) {
    throw new StartupError(
      "DATABASE_URL: required with DIRECT_DATABASE_URL, which is the same database without a pooler",
    );
  }
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) {
    throw new StartupError("DATABASE_URL: required with DATABASE_REPLICA_URL, which is a streaming replica of it");
  }
  if (values.MAIL_FEEDBACK_SECRET && !values.MAIL_RETURN_PATH) {
    throw new StartupError(
      "MAIL_RETURN_PATH: required with MAIL_FEEDBACK_SECRET, because reports name their email by it",
    );
  }
}

const retentionDays = z
  .string()
  .regex(/^\d{1,5}$/, "must be a number of days")
  .transform(Number)
  .refine(
    (days) => days >= retentionLimits.min && days <= retentionLimits.max,
    `must be from ${retentionLimits.min} to ${retentionLimits.max} days`,
  );
const oneOrUnset = z
  .enum(["0", "1"], "must be 1 or unset")
  .transform((value) => value === "1")
  .default(false);
const onOff = z.enum(["on", "off"], "must be on or off").transform((value) => value === "on");

/** Trimmed, like each item of a list, so that the same text is the same secret in both places. */
const secret = z.string().trim().min(32, "must be at least 32 characters");
const secretList = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim()))
  .pipe(z.array(z.string().min(32, "must have 32 characters or more each, separated by commas")))
  .default([]);

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port number from 1 to 65535")
  .transform(Number)
  .refine((number) => number > 0 && number < 65_536, "must be a port number from 1 to 65535");

const milliseconds = z
  .string()
  .regex(/^\d{1,7}$/, "must be a number of milliseconds")
  .transform(Number);

/** A single-line URI, as RFC 9116 requires. */
const contact = z
  .string()
  .trim()
  .refine(
    (text) => /^(mailto:[^\s@?]+@[^\s@?]+|https:\/\/\S+)$/.test(text) && URL.canParse(text),
    "must be mailto:name@example.com or an https URL",
  )
  .optional();

const databaseUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), "must be a postgres:// URL")
  .optional();

const apiOrigin = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be an http or https origin")
  .optional();

const networkList = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim()))
  .pipe(
    z.array(
      z.string().refine(isNetwork, {
        error: ({ input }) => `${String(input)} is no network such as 10.0.0.0/8 or 2001:db8::/32, separated by commas`,
      }),
    ),
  );

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: z
    .string()
    .transform((text, ctx) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
      ctx.addIssue("must be an http or https origin without a path, such as https://ads.example.com");
      return z.NEVER;
    })
    .optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: databaseUrl,
  DATABASE_OWNER_URL: databaseUrl,
  DIRECT_DATABASE_URL: databaseUrl,
  DATABASE_CA_FILE: z.string().optional(),
  DATABASE_REPLICA_URL: databaseUrl,
  DATABASE_REPLICA_MAX_LAG_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, "must be a number of seconds from 2 to 300")
    .transform(Number)
    .refine((seconds) => seconds >= 2 && seconds <= 300, "must be a number of seconds from 2 to 300")
    .default(10),
  DATABASE_PREPARE: onOff.optional(),
  DATABASE_WAIT_SECONDS: z
    .string()
    .regex(/^\d{1,4}$/, "must be a number of seconds")
    .transform(Number)
    .default(30),
  SESSION_SECRET: secret.optional(),
  SESSION_SECRET_PREVIOUS: secretList,
  ENCRYPTION_KEY: secret.optional(),
  ENCRYPTION_KEY_PREVIOUS: secretList,
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_PROVIDERS: oidcProvidersSchema.default([]),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ENDPOINT: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      "must be an http or https address such as https://storage.example.com",
    )
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, "must be a path of letters, digits, dots and dashes, such as endcap/files")
    .transform((path) => `${path.replace(/\/$/, "")}/`)
    .default(""),
  AUDIENCE_STORE: z.enum(["rows", "objects"], "must be rows or objects").default("rows"),
  CREATIVE_QUOTA_MB: z
    .string()
    .regex(/^\d{1,9}$/, "must be a number of megabytes")
    .transform(Number)
    .default(5 * 1024),
  MONTH_CLOSING_DAYS: z
    .string()
    .regex(/^([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])$/, "must be a number of days from 1 to 365")
    .transform(Number)
    .default(defaultMonthClosingDays),
  MAIL_ADDRESS_RETENTION_DAYS: retentionDays.default(retentionDefaults.mailAddresses),
  NOTIFICATION_RETENTION_DAYS: retentionDays.default(retentionDefaults.notifications),
  WEBHOOK_DELIVERY_RETENTION_DAYS: retentionDays.default(retentionDefaults.webhookDeliveries),
  UNREGISTERED_RETENTION_DAYS: retentionDays.default(retentionDefaults.unregisteredPeople),
  ALLOW_STANDIN_SIGNIN: oneOrUnset,
  ALLOW_PRIVATE_OUTBOUND: oneOrUnset,
  KLAVIYO_URL: apiOrigin,
  HUBSPOT_URL: apiOrigin,
  GOOGLE_ADS_URL: apiOrigin,
  GOOGLE_DATA_MANAGER_URL: apiOrigin,
  GOOGLE_TOKEN_URL: apiOrigin,
  META_URL: apiOrigin,
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(test|live)_\w+$/, "must be a secret or restricted key such as sk_live_…")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, "must be the signing secret of a webhook endpoint, such as whsec_…")
    .optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, "must be the signing secret of a webhook endpoint for connected accounts, such as whsec_…")
    .optional(),
  STRIPE_URL: apiOrigin,
  PAYMENTS: z.enum(["sandbox", "off"], "must be sandbox or off").optional(),
  SMTP_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol),
      "must be an smtp:// or smtps:// URL such as smtps://user:password@mail.example.com",
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      "must be an email address such as Endcap <mail@example.com>",
    )
    .optional(),
  MAIL_RETURN_PATH: z
    .string()
    .trim()
    // With "+" and 48 characters, within the 64 that RFC 5321 permits before the "@".
    .regex(
      /^[\w.-]{1,15}@[^<>@\s]+$/,
      'must be an address such as bounces@example.com, with 15 letters, digits, dots and dashes at most before the "@"',
    )
    .optional(),
  MAIL_FEEDBACK_SECRET: secret.optional(),
  SECURITY_CONTACT: contact,
  SUPPORT_CONTACT: contact,
  WORKER: onOff.default(true),
  TEST_MODE: onOff.optional(),
  DEMO_DATA: onOff.optional(),
  SIMULATED_DELIVERY: onOff.optional(),
  ACCOUNT_APPROVAL: z.enum(["auto", "manual"], "must be auto or manual").optional(),
  RATE_LIMITS: onOff.default(true),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, "must be a number such as 2 or 0.5")
    .transform(Number)
    .refine((factor) => factor > 0, "must be more than 0")
    .default(1),
  TRUSTED_PROXIES: networkList.optional(),
  PROXY_REQUEST_IDS: onOff.default(true),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be fatal, error, warn, info, debug, trace or silent",
    )
    .default("info"),
  LOG_FORMAT: z.enum(["json", "text", "auto"], "must be json, text or auto").default("auto"),
  SLOW_QUERY_MS: milliseconds.default(500),
  METRICS_TOKEN: secret.optional(),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      "must be an http or https URL such as http://localhost:4318",
    )
    .optional(),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, "must be a number of seconds from 0 to 999")
    .transform(Number)
    .default(0),
  WORKER_HEALTH_PORT: port.optional(),
  WATCHDOG_WARN_MS: milliseconds.default(1_000),
  WATCHDOG_KILL_MS: milliseconds.default(10_000),
  NODE_ENV: z.string().optional(),
});

function googleOf(clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (clientId) throw new StartupError("GOOGLE_CLIENT_SECRET: required with GOOGLE_CLIENT_ID");
  if (clientSecret) throw new StartupError("GOOGLE_CLIENT_ID: required with GOOGLE_CLIENT_SECRET");
  return undefined;
}

/** Text is for a person at a terminal, with colors unless NO_COLOR or the terminal forbids them. */
function logFormatOf(configured: "json" | "text" | "auto"): LogFormat {
  const { isTTY } = process.stdout;
  if (configured === "json" || (configured === "auto" && !isTTY)) return "json";
  return isTTY && process.stdout.hasColors() ? "color" : "text";
}

function metricsOf({ METRICS_TOKEN: token, METRICS_PORT: ownPort, PORT, WORKER_HEALTH_PORT }: z.output<typeof schema>) {
  if (ownPort === PORT) throw new StartupError("METRICS_PORT: must differ from PORT");
  if (ownPort !== undefined && ownPort === WORKER_HEALTH_PORT) {
    throw new StartupError(
      "METRICS_PORT: must differ from WORKER_HEALTH_PORT, where the worker serves its own metrics",
    );
  }
  return token === undefined && ownPort === undefined ? undefined : { token, port: ownPort };
}

function s3Of(found: z.output<typeof schema>): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = found;
  const others = [found.S3_ENDPOINT, accessKeyId, secretAccessKey, found.S3_PREFIX].some(Boolean);
  if (!bucket && others) throw new StartupError("S3_BUCKET: required when other S3 variables are set");
  if (!bucket) return undefined;
  if (accessKeyId && !secretAccessKey) throw new StartupError("S3_SECRET_ACCESS_KEY: required with S3_ACCESS_KEY_ID");
  if (secretAccessKey && !accessKeyId) throw new StartupError("S3_ACCESS_KEY_ID: required with S3_SECRET_ACCESS_KEY");
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return { bucket, region: found.S3_REGION, endpoint: found.S3_ENDPOINT, credentials, prefix: found.S3_PREFIX };
}

/**
 * The sandbox charges no money, so anybody who can use it can fill a wallet for free: with real sign-in it is used
 * only when configured explicitly (docs/decisions/0026).
 */
function paymentsOf(
  found: z.output<typeof schema>,
  { hasStandIn }: { hasStandIn: boolean },
): "stripe" | "sandbox" | "none" {
  if (found.PAYMENTS && stripeOf(found)) {
    throw new StartupError(`PAYMENTS: ${found.PAYMENTS} can't be combined with STRIPE_SECRET_KEY`);
  }
  if (stripeOf(found)) return "stripe";
  if (found.PAYMENTS) return found.PAYMENTS === "sandbox" ? "sandbox" : "none";
  return hasStandIn ? "sandbox" : "none";
}

function stripeOf(found: z.output<typeof schema>) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_URL: origin } = found;
  const connectSecret = found.STRIPE_CONNECT_WEBHOOK_SECRET;
  if (!secretKey && !webhookSecret) {
    if (connectSecret) throw new StartupError("STRIPE_SECRET_KEY: required with STRIPE_CONNECT_WEBHOOK_SECRET");
    if (origin) throw new StartupError("STRIPE_SECRET_KEY: required with STRIPE_URL");
    return undefined;
  }
  if (!webhookSecret) throw new StartupError("STRIPE_WEBHOOK_SECRET: required with STRIPE_SECRET_KEY");
  if (!secretKey) throw new StartupError("STRIPE_SECRET_KEY: required with STRIPE_WEBHOOK_SECRET");
  if (origin && !secretKey.includes("_test_")) {
    throw new StartupError("STRIPE_URL: can't be used with a live key");
  }
  return { secretKey, webhookSecret, connectSecret, origin };
}

const loopbackNetworks = ["127.0.0.0/8", "::1/128"];

/** Returns whether a text is an IP address or a network. A prefix length of 0 would trust everyone. */
function isNetwork(text: string): boolean {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes("%") ? 128 : 0;
  return bits > 0 && (length === undefined || (Number(length) >= 1 && Number(length) <= bits));
}

/** Returns whether the host of an origin is this machine. */
export function isLoopback(origin: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(origin).hostname);
}
