import { isIPv4, isIPv6 } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { productName } from "./domain/product.ts";
import { findKeptSecret, keptSecret } from "./kept-secret.server.ts";
import { StartError } from "./start-error.ts";
import type { S3Settings } from "./storage/s3-storage.server.ts";

export type Env = Omit<ReturnType<typeof parseEnv>, keyof GivenSecrets> & {
  /** Newest first: the first signs, and each verifies (docs/decisions/0046). */
  sessionSecrets: string[];
  /** Newest first: stored credentials are encrypted under the first, and decrypted under each. */
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
 * The environment, checked once. A lint rule keeps other files from reading `process.env`; `.env.example` says what each variable means.
 * Throws a StartError that names the variable. Makes and keeps a session secret in `dataDir` when none is given.
 */
export function env(): Env {
  parsed ??= readEnv(process.env);
  return parsed;
}

/** `env()` of other variables than the process's. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { sessionSecret, previousSessionSecrets, encryptionKey, previousEncryptionKeys, ...read } = parseEnv(source);
  const sessionSecrets = [...currentSessionSecrets(read.dataDir, sessionSecret), ...previousSessionSecrets];
  const encryptionSecrets = encryptionKey
    ? [encryptionKey, ...previousEncryptionKeys, ...sessionSecrets]
    : [...sessionSecrets, ...previousEncryptionKeys];
  return { ...read, sessionSecrets, encryptionSecrets };
}

const sessionSecretFile = "session-secret";

/** A secret that the server once made for itself still verifies after SESSION_SECRET is set, for as long as its file is there. */
function currentSessionSecrets(dataDir: string, given: string | undefined): string[] {
  if (!given) return [keptSecret(dataDir, sessionSecretFile)];
  const made = findKeptSecret(dataDir, sessionSecretFile);
  return made ? [given, made] : [given];
}

function parseEnv(source: Record<string, string | undefined>) {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const result = schema.safeParse(filled);
  if (!result.success) {
    throw new StartError(result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join("\n"));
  }
  const found = result.data;
  const publicUrl = found.PUBLIC_URL ?? `http://localhost:${found.PORT}`;
  const google = googleOf(found.GOOGLE_CLIENT_ID, found.GOOGLE_CLIENT_SECRET);
  if (!google && !isLoopback(publicUrl) && !found.ALLOW_STANDIN_SIGNIN) {
    throw new StartError(
      `PUBLIC_URL: ${publicUrl} is not on this machine, and the built-in sign-in lets anybody in as anybody. ` +
        "Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or ALLOW_STANDIN_SIGNIN=1 if that is what you want",
    );
  }
  if (found.DATABASE_URL && !found.SESSION_SECRET) {
    throw new StartError("SESSION_SECRET: required with DATABASE_URL, the same for all servers on one database");
  }
  if (found.DATABASE_OWNER_URL && !found.DATABASE_URL) {
    throw new StartError("DATABASE_URL: required with DATABASE_OWNER_URL, with the server's own role");
  }
  if (found.ALLOW_PRIVATE_OUTBOUND && !isLoopback(publicUrl)) {
    throw new StartError(
      `ALLOW_PRIVATE_OUTBOUND: ${publicUrl} is not on this machine, and anybody with an account could reach what stands behind it`,
    );
  }
  const payments = paymentsOf(found, { google: Boolean(google) });
  if (found.DEMO_DATA && payments !== "sandbox") {
    throw new StartError("DEMO_DATA: the accounts of the demo pay by the sandbox, which takes no payments here");
  }
  return {
    port: found.PORT,
    host: found.HOST,
    /** An origin, without a slash at its end. */
    publicUrl,
    dataDir: resolve(found.DATA_DIR),
    databaseUrl: found.DATABASE_URL,
    /** Undefined: DATABASE_URL is the owner's. */
    databaseOwnerUrl: found.DATABASE_OWNER_URL,
    sessionSecret: found.SESSION_SECRET,
    previousSessionSecrets: found.SESSION_SECRET_PREVIOUS,
    encryptionKey: found.ENCRYPTION_KEY,
    previousEncryptionKeys: found.ENCRYPTION_KEY_PREVIOUS,
    /** Whether shops and the like may stand on this machine or a private net. */
    allowPrivateOutbound: found.ALLOW_PRIVATE_OUTBOUND,
    /** Undefined: uploaded files are kept in `dataDir`. */
    s3: s3Of(found),
    /** What one account's creatives may take, in bytes. */
    creativeQuota: found.CREATIVE_QUOTA_MB * 1024 * 1024,
    /** Where the APIs of others stand; undefined: where their documentation says. */
    apiOrigins: {
      klaviyo: found.KLAVIYO_URL,
      hubspot: found.HUBSPOT_URL,
      googleAds: found.GOOGLE_ADS_URL,
      googleSignIn: found.GOOGLE_TOKEN_URL,
      meta: found.META_URL,
    },
    /** Who takes money: Stripe, the sandbox (test cards, and no money), or nobody yet. */
    payments,
    /** With `connectSecret` it pays out too. */
    stripe: stripeOf(found),
    /** Undefined: mails are kept, and none is sent. */
    smtpUrl: found.SMTP_URL,
    /** The sender of all mails. */
    mailFrom: found.MAIL_FROM ?? `${productName} <no-reply@${new URL(publicUrl).hostname}>`,
    /** Where to report a weakness; undefined: nowhere, and there is no security.txt. */
    securityContact: found.SECURITY_CONTACT,
    /** Whether this process sends mails and the like too; else `npm run worker` does. */
    worker: found.WORKER,
    /** Undefined: sign-in goes to the built-in stand-in. */
    google,
    testMode: found.TEST_MODE ?? !google,
    demoData: found.DEMO_DATA ?? (!found.DATABASE_URL && payments === "sandbox"),
    accountApproval: found.ACCOUNT_APPROVAL ?? (google ? ("manual" as const) : ("auto" as const)),
    rateLimits: found.RATE_LIMITS,
    /** By what all budgets of requests are multiplied. */
    rateLimitFactor: found.RATE_LIMIT_FACTOR,
    /** Networks whose X-Forwarded-For is believed. */
    trustedProxies: found.TRUSTED_PROXIES ?? (isLoopback(publicUrl) ? [] : loopbackNetworks),
    logLevel: found.LOG_LEVEL,
    /** After how long a blocked event loop is logged, and after how long the process ends for it; 0: never. */
    watchdog: { warnMs: found.WATCHDOG_WARN_MS, killMs: found.WATCHDOG_KILL_MS },
    isProduction: found.NODE_ENV === "production",
  };
}

const oneOrUnset = z
  .enum(["0", "1"], "must be 1 or unset")
  .transform((value) => value === "1")
  .default(false);
const onOff = z.enum(["on", "off"], "must be on or off").transform((value) => value === "on");

/** Trimmed, as each of a list is: the same text means the same secret in both places. */
const secret = z.string().trim().min(32, "must have 32 characters or more");
const secretList = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim()))
  .pipe(z.array(z.string().min(32, "must have 32 characters or more each, separated by commas")))
  .default([]);

const milliseconds = z
  .string()
  .regex(/^\d{1,7}$/, "must be a number of milliseconds")
  .transform(Number);

/** As RFC 9116 wants it: a URI of one line. */
const securityContact = z
  .string()
  .trim()
  .refine(
    (text) => /^(mailto:[^\s@?]+@[^\s@?]+|https:\/\/\S+)$/.test(text) && URL.canParse(text),
    "must be mailto:security@example.com or an https URL",
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
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a port number from 1 to 65535")
    .transform(Number)
    .refine((port) => port > 0 && port < 65_536, "must be a port number from 1 to 65535")
    .default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: z
    .string()
    .transform((text, ctx) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
      ctx.addIssue("must be an http or https origin such as https://ads.example.com, without a path");
      return z.NEVER;
    })
    .optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: databaseUrl,
  DATABASE_OWNER_URL: databaseUrl,
  SESSION_SECRET: secret.optional(),
  SESSION_SECRET_PREVIOUS: secretList,
  ENCRYPTION_KEY: secret.optional(),
  ENCRYPTION_KEY_PREVIOUS: secretList,
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
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
  CREATIVE_QUOTA_MB: z
    .string()
    .regex(/^\d{1,9}$/, "must be a number of megabytes")
    .transform(Number)
    .default(5 * 1024),
  ALLOW_STANDIN_SIGNIN: oneOrUnset,
  ALLOW_PRIVATE_OUTBOUND: oneOrUnset,
  KLAVIYO_URL: apiOrigin,
  HUBSPOT_URL: apiOrigin,
  GOOGLE_ADS_URL: apiOrigin,
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
      "must be an address such as Endcap <mail@example.com>",
    )
    .optional(),
  SECURITY_CONTACT: securityContact,
  WORKER: onOff.default(true),
  TEST_MODE: onOff.optional(),
  DEMO_DATA: onOff.optional(),
  ACCOUNT_APPROVAL: z.enum(["auto", "manual"], "must be auto or manual").optional(),
  RATE_LIMITS: onOff.default(true),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, "must be a number such as 2 or 0.5")
    .transform(Number)
    .refine((factor) => factor > 0, "must be more than 0")
    .default(1),
  TRUSTED_PROXIES: networkList.optional(),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be fatal, error, warn, info, debug, trace or silent",
    )
    .default("info"),
  WATCHDOG_WARN_MS: milliseconds.default(1_000),
  WATCHDOG_KILL_MS: milliseconds.default(10_000),
  NODE_ENV: z.string().optional(),
});

function googleOf(clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (clientId) throw new StartError("GOOGLE_CLIENT_SECRET: required with GOOGLE_CLIENT_ID");
  if (clientSecret) throw new StartError("GOOGLE_CLIENT_ID: required with GOOGLE_CLIENT_SECRET");
  return undefined;
}

function s3Of(found: z.output<typeof schema>): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = found;
  const others = [found.S3_ENDPOINT, accessKeyId, secretAccessKey, found.S3_PREFIX].some(Boolean);
  if (!bucket && others) throw new StartError("S3_BUCKET: required with the other variables of S3");
  if (!bucket) return undefined;
  if (accessKeyId && !secretAccessKey) throw new StartError("S3_SECRET_ACCESS_KEY: required with S3_ACCESS_KEY_ID");
  if (secretAccessKey && !accessKeyId) throw new StartError("S3_ACCESS_KEY_ID: required with S3_SECRET_ACCESS_KEY");
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return { bucket, region: found.S3_REGION, endpoint: found.S3_ENDPOINT, credentials, prefix: found.S3_PREFIX };
}

/**
 * The sandbox takes no money, so whoever may use it fills a wallet for nothing: where people sign in with the real Google it
 * stands in for nobody unless told to (docs/decisions/0026).
 */
function paymentsOf(found: z.output<typeof schema>, { google }: { google: boolean }): "stripe" | "sandbox" | "none" {
  if (found.PAYMENTS && stripeOf(found)) {
    throw new StartError(`PAYMENTS: ${found.PAYMENTS} and STRIPE_SECRET_KEY exclude each other`);
  }
  if (stripeOf(found)) return "stripe";
  if (found.PAYMENTS) return found.PAYMENTS === "sandbox" ? "sandbox" : "none";
  return google ? "none" : "sandbox";
}

function stripeOf(found: z.output<typeof schema>) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_URL: origin } = found;
  const connectSecret = found.STRIPE_CONNECT_WEBHOOK_SECRET;
  if (!secretKey && !webhookSecret) {
    if (connectSecret) throw new StartError("STRIPE_SECRET_KEY: required with STRIPE_CONNECT_WEBHOOK_SECRET");
    if (origin) throw new StartError("STRIPE_SECRET_KEY: required with STRIPE_URL");
    return undefined;
  }
  if (!webhookSecret) throw new StartError("STRIPE_WEBHOOK_SECRET: required with STRIPE_SECRET_KEY");
  if (!secretKey) throw new StartError("STRIPE_SECRET_KEY: required with STRIPE_WEBHOOK_SECRET");
  if (origin && !secretKey.includes("_test_")) {
    throw new StartError("STRIPE_URL: a live key is sent to Stripe alone");
  }
  return { secretKey, webhookSecret, connectSecret, origin };
}

const loopbackNetworks = ["127.0.0.0/8", "::1/128"];

/** Whether a text is an IP address, or one with the length of its network. A length of 0 would believe everybody. */
function isNetwork(text: string): boolean {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes("%") ? 128 : 0;
  return bits > 0 && (length === undefined || (Number(length) >= 1 && Number(length) <= bits));
}

/** Whether an origin is this machine's by its name. */
export function isLoopback(origin: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(origin).hostname);
}
