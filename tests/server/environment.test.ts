import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnv } from "#app/env.server.ts";

const secret = "s".repeat(32);
function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "endcap-env-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
}

const google = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };

test("needs no variable, and then listens on this machine with the stand-in, test mode and demo data", () => {
  expect(readEnv({ SESSION_SECRET: secret })).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    databaseUrl: undefined,
    google: undefined,
    testMode: true,
    demoData: true,
    accountApproval: "auto",
    rateLimits: true,
    logLevel: "info",
  });
});

test("emails come from an address that people can reply to, as pages ask them to, on the host of PUBLIC_URL", () => {
  const sender = (more: Record<string, string>) => readEnv({ SESSION_SECRET: secret, ...google, ...more }).mailFrom;
  expect(sender({ PUBLIC_URL: "https://ads.example.com" })).toBe("Endcap <support@ads.example.com>");
  expect(sender({ MAIL_FROM: "Endcap <ads@example.com>" })).toBe("Endcap <ads@example.com>");
});

test("with Google's credentials test mode is off and approval is manual by default", () => {
  expect(readEnv({ SESSION_SECRET: secret, ...google })).toMatchObject({
    google: { clientId: "id", clientSecret: "secret" },
    testMode: false,
    accountApproval: "manual",
  });
  const chosen = { TEST_MODE: "on", ACCOUNT_APPROVAL: "auto" };
  expect(readEnv({ SESSION_SECRET: secret, ...google, ...chosen })).toMatchObject({
    testMode: true,
    accountApproval: "auto",
  });
});

test("with another provider, which is real sign-in too, so are they, and nothing is paid for free", () => {
  const provider = {
    id: "acme",
    name: "Acme",
    issuer: "https://id.acme.example",
    clientId: "id",
    clientSecret: "secret",
  };
  const withProvider = { SESSION_SECRET: secret, OIDC_PROVIDERS: JSON.stringify([provider]) };
  const defaults = { testMode: false, accountApproval: "manual", payments: "none", demoData: false };
  expect(readEnv({ ...withProvider, PUBLIC_URL: "https://endcap.example.com" })).toMatchObject(defaults);
  expect(readEnv(withProvider)).toMatchObject({ hasStandIn: false, ...defaults });
  expect(readEnv({ ...withProvider, ALLOW_STANDIN_SIGNIN: "1" })).toMatchObject({
    hasStandIn: true,
    testMode: true,
    accountApproval: "auto",
    payments: "sandbox",
  });
});

test("seeds no demo data into an external database by default", () => {
  const own = { SESSION_SECRET: secret, DATABASE_URL: "postgres://u:p@db:5432/endcap" };
  expect(readEnv(own).demoData).toBe(false);
  expect(readEnv({ ...own, DEMO_DATA: "on" }).demoData).toBe(true);
  // The demo accounts pay through the sandbox.
  expect(readEnv({ SESSION_SECRET: secret, ...google }).demoData).toBe(false);
  expect(readEnv({ SESSION_SECRET: secret, ...google, PAYMENTS: "sandbox" }).demoData).toBe(true);
});

test("simulates delivery with sandbox payments alone, unless configured for a test with Stripe", () => {
  const of = (variables: Record<string, string>) => readEnv({ SESSION_SECRET: secret, ...variables }).simulatedDelivery;
  const stripe = { STRIPE_SECRET_KEY: "sk_test_a", STRIPE_WEBHOOK_SECRET: "whsec_b" };
  expect(of({})).toBe(true);
  expect(of({ ...google, PAYMENTS: "sandbox" })).toBe(true);
  expect(of({ SIMULATED_DELIVERY: "off" })).toBe(false);
  expect(of(google)).toBe(false);
  expect(of({ ...google, ...stripe })).toBe(false);
  expect(of({ ...google, ...stripe, SIMULATED_DELIVERY: "on" })).toBe(true);
});

test("serves no metrics unless a token or a port of their own is set", () => {
  const of = (variables: Record<string, string>) => readEnv({ SESSION_SECRET: secret, ...variables }).metrics;
  expect(of({})).toBeUndefined();
  expect(of({ METRICS_TOKEN: secret })).toEqual({ token: secret, port: undefined });
  expect(of({ METRICS_PORT: "9100" })).toEqual({ token: undefined, port: 9100 });
  expect(of({ METRICS_PORT: "9100", METRICS_TOKEN: secret })).toEqual({ token: secret, port: 9100 });
});

test("writes logs as JSON where nobody reads them at a terminal", () => {
  const of = (variables: Record<string, string>) => readEnv({ SESSION_SECRET: secret, ...variables }).logFormat;
  const { isTTY } = process.stdout;
  process.stdout.isTTY = false;
  try {
    expect([of({}), of({ LOG_FORMAT: "auto" }), of({ LOG_FORMAT: "text" })]).toEqual(["json", "json", "text"]);
  } finally {
    process.stdout.isTTY = isTTY;
  }
});

test("names a replica of an external database only, with the same certificate authority, and its greatest lag", () => {
  const replica = { DATABASE_REPLICA_URL: "postgres://u:p@replica:5432/endcap" };
  const own = { SESSION_SECRET: secret, DATABASE_URL: "postgres://u:p@db:5432/endcap" };
  expect(readEnv(own).databaseReplicaUrl).toBeUndefined();
  expect(readEnv({ ...own, ...replica })).toMatchObject({
    databaseReplicaUrl: replica.DATABASE_REPLICA_URL,
    databaseReplicaMaxLagSeconds: 10,
  });
  expect(readEnv({ ...own, ...replica, DATABASE_CA_FILE: "/ca.pem" }).databaseReplicaUrl).toMatch(
    /sslmode=verify-full/,
  );
  expect(() => readEnv({ SESSION_SECRET: secret, ...replica })).toThrow(
    /^DATABASE_URL: required with DATABASE_REPLICA_URL/,
  );
  for (const seconds of ["1", "301", "ten"]) {
    const wrong = { ...own, ...replica, DATABASE_REPLICA_MAX_LAG_SECONDS: seconds };
    expect(() => readEnv(wrong)).toThrow("DATABASE_REPLICA_MAX_LAG_SECONDS: must be a number of seconds from 2 to 300");
  }
});

test("treats an empty variable as absent", () => {
  expect(readEnv({ SESSION_SECRET: secret, PORT: "", DATABASE_URL: "" }).port).toBe(3000);
});

test("generates a session secret, readable only by its owner, and reuses it", () => {
  const dataDir = newDataDir();
  const generated = readEnv({ DATA_DIR: dataDir });
  const [first = "", ...others] = generated.sessionSecrets;
  expect(others).toEqual([]);
  expect(first.length).toBeGreaterThanOrEqual(32);
  const reused = readEnv({ DATA_DIR: dataDir });
  expect(reused.sessionSecrets).toEqual([first]);
  const configured = readEnv({ DATA_DIR: newDataDir(), SESSION_SECRET: secret });
  expect([generated, reused, configured].map((env) => env.isSessionSecretNew)).toEqual([true, false, false]);
  expect(readFileSync(join(dataDir, "session-secret"), "utf8")).toBe(first);
  expect(statSync(join(dataDir, "session-secret")).mode & 0o777).toBe(0o600);
});

test.each([
  [{ AUDIENCE_STORE: "s3" }, "AUDIENCE_STORE"],
  [{ PORT: "0" }, "PORT"],
  [{ PORT: "70000" }, "PORT"],
  [{ PORT: "http" }, "PORT"],
  [{ PUBLIC_URL: "ads.example.com" }, "PUBLIC_URL"],
  [{ PUBLIC_URL: "https://ads.example.com/path" }, "PUBLIC_URL"],
  [{ PUBLIC_URL: "ftp://localhost" }, "PUBLIC_URL"],
  [{ PUBLIC_URL: "https://ads.example.com" }, "PUBLIC_URL"],
  [{ DATABASE_URL: "mysql://db" }, "DATABASE_URL"],
  [{ DATABASE_URL: "postgres://u:p@db/endcap", SESSION_SECRET: "" }, "SESSION_SECRET"],
  [{ SESSION_SECRET: "short" }, "SESSION_SECRET"],
  [{ SESSION_SECRET_PREVIOUS: `${secret},short` }, "SESSION_SECRET_PREVIOUS"],
  [{ ENCRYPTION_KEY_PREVIOUS: `${secret},` }, "ENCRYPTION_KEY_PREVIOUS"],
  [{ GOOGLE_CLIENT_ID: "id" }, "GOOGLE_CLIENT_SECRET"],
  [{ GOOGLE_CLIENT_SECRET: "secret" }, "GOOGLE_CLIENT_ID"],
  [{ TEST_MODE: "yes" }, "TEST_MODE"],
  [{ DEMO_DATA: "1" }, "DEMO_DATA"],
  [{ SIMULATED_DELIVERY: "yes" }, "SIMULATED_DELIVERY"],
  [
    { SIMULATED_DELIVERY: "on", STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_b" },
    "SIMULATED_DELIVERY",
  ],
  [{ ACCOUNT_APPROVAL: "maybe" }, "ACCOUNT_APPROVAL"],
  [{ RATE_LIMITS: "none" }, "RATE_LIMITS"],
  [{ PROXY_REQUEST_IDS: "yes" }, "PROXY_REQUEST_IDS"],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL"],
  [{ LOG_FORMAT: "xml" }, "LOG_FORMAT"],
  [{ SLOW_QUERY_MS: "1 s" }, "SLOW_QUERY_MS"],
  [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN"],
  [{ METRICS_PORT: "3000" }, "METRICS_PORT"],
  [{ METRICS_PORT: "9100", WORKER_HEALTH_PORT: "9100" }, "METRICS_PORT"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  [{ ALLOW_STANDIN_SIGNIN: "yes" }, "ALLOW_STANDIN_SIGNIN"],
  [{ STRIPE_SECRET_KEY: "sk_live_a" }, "STRIPE_WEBHOOK_SECRET"],
  [{ STRIPE_WEBHOOK_SECRET: "whsec_b" }, "STRIPE_SECRET_KEY"],
  [{ STRIPE_URL: "http://localhost:1" }, "STRIPE_SECRET_KEY"],
  [{ STRIPE_SECRET_KEY: "pk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_b" }, "STRIPE_SECRET_KEY"],
  [{ STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "we_b" }, "STRIPE_WEBHOOK_SECRET"],
  [
    { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_b", STRIPE_URL: "http://localhost:1" },
    "STRIPE_URL",
  ],
  [{ STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_b", PAYMENTS: "sandbox" }, "PAYMENTS"],
  [{ STRIPE_CONNECT_WEBHOOK_SECRET: "whsec_c" }, "STRIPE_SECRET_KEY"],
  [
    { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_b", STRIPE_CONNECT_WEBHOOK_SECRET: "c" },
    "STRIPE_CONNECT_WEBHOOK_SECRET",
  ],
  [{ PAYMENTS: "stripe" }, "PAYMENTS"],
  [{ PAYMENTS: "off", DEMO_DATA: "on" }, "DEMO_DATA"],
  [{ S3_ENDPOINT: "storage.example.com", S3_BUCKET: "ads" }, "S3_ENDPOINT"],
  [{ S3_ENDPOINT: "https://storage.example.com" }, "S3_BUCKET"],
  [{ S3_BUCKET: "ads", S3_ACCESS_KEY_ID: "id" }, "S3_SECRET_ACCESS_KEY"],
  [{ S3_BUCKET: "ads", S3_SECRET_ACCESS_KEY: "secret" }, "S3_ACCESS_KEY_ID"],
  [{ S3_BUCKET: "ads", S3_PREFIX: "/../" }, "S3_PREFIX"],
  [{ CREATIVE_QUOTA_MB: "5 GB" }, "CREATIVE_QUOTA_MB"],
  [{ DATA_DIR: "/dev/null/data", SESSION_SECRET: "" }, "DATA_DIR"],
])("rejects %o, naming %s", (variables, name) => {
  expect(() => readEnv({ SESSION_SECRET: secret, ...variables })).toThrow(new RegExp(`^${name}: `));
});

test("allows the stand-in on a public origin only when configured", () => {
  const open = { SESSION_SECRET: secret, PUBLIC_URL: "https://ads.example.com" };
  expect(() => readEnv(open)).toThrow(/ALLOW_STANDIN_SIGNIN=1/);
  expect(readEnv({ ...open, ALLOW_STANDIN_SIGNIN: "1" }).publicUrl).toBe("https://ads.example.com");
  expect(readEnv({ ...open, ...google }).publicUrl).toBe("https://ads.example.com");
  for (const PUBLIC_URL of ["http://localhost:1", "http://127.0.0.1", "http://[::1]:3000"]) {
    expect(readEnv({ SESSION_SECRET: secret, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL);
  }
});

test("uses Stripe with both its keys, and the sandbox with the stand-in or when configured", () => {
  const stripe = { STRIPE_SECRET_KEY: "sk_test_a", STRIPE_WEBHOOK_SECRET: "whsec_b" };
  const of = (variables: Record<string, string>) => readEnv({ SESSION_SECRET: secret, ...variables }).payments;
  expect(of({})).toBe("sandbox");
  expect(of(google)).toBe("none");
  expect(of({ ...google, PAYMENTS: "sandbox" })).toBe("sandbox");
  expect(of({ PAYMENTS: "off" })).toBe("none");
  expect(of({ ...google, ...stripe })).toBe("stripe");
  expect(readEnv({ SESSION_SECRET: secret, ...stripe }).stripe).toEqual({
    secretKey: "sk_test_a",
    webhookSecret: "whsec_b",
    origin: undefined,
  });
  expect(readEnv({ SESSION_SECRET: secret }).stripe).toBeUndefined();
});

test("rejects private outbound addresses on a public origin", () => {
  const inside = { SESSION_SECRET: secret, ALLOW_PRIVATE_OUTBOUND: "1" };
  expect(readEnv(inside).allowPrivateOutbound).toBe(true);
  expect(readEnv({ SESSION_SECRET: secret }).allowPrivateOutbound).toBe(false);
  expect(() => readEnv({ ...inside, ...google, PUBLIC_URL: "https://ads.example.com" })).toThrow(
    /^ALLOW_PRIVATE_OUTBOUND: /,
  );
});

test("requires an encryption key that is long enough, or none", () => {
  const own = { DATA_DIR: newDataDir(), SESSION_SECRET: secret };
  expect(readEnv(own).encryptionSecrets).toEqual([secret]);
  expect(() => readEnv({ ...own, ENCRYPTION_KEY: "short" })).toThrow(/^ENCRYPTION_KEY: /);
});

test("signs with the newest secret and verifies with each: configured, previous and generated ones", () => {
  const DATA_DIR = newDataDir();
  const [created = ""] = readEnv({ DATA_DIR }).sessionSecrets;
  const [newest, second, third] = ["n", "2", "3"].map((character) => character.repeat(32));
  const env = { DATA_DIR, SESSION_SECRET: newest, SESSION_SECRET_PREVIOUS: ` ${second},\n${third} ` };
  expect(readEnv(env).sessionSecrets).toEqual([newest, created, second, third]);
  rmSync(join(DATA_DIR, "session-secret"));
  expect(readEnv(env).sessionSecrets).toEqual([newest, second, third]);
  const passphrase = "one secret, which has a comma and spaces in it";
  expect(readEnv({ DATA_DIR, SESSION_SECRET: `${passphrase}\n` }).sessionSecrets).toEqual([passphrase]);
});

test("encrypts with the newest key and decrypts with each, session secrets included", () => {
  const [key, previous] = ["k", "p"].map((character) => character.repeat(32));
  const own = { DATA_DIR: newDataDir(), SESSION_SECRET: secret };
  const before = { ENCRYPTION_KEY_PREVIOUS: previous };
  expect(readEnv({ ...own, ENCRYPTION_KEY: key, ...before }).encryptionSecrets).toEqual([key, previous, secret]);
  expect(readEnv({ ...own, ...before }).encryptionSecrets).toEqual([secret, previous]);
});

test("stores uploaded files in a folder, or in the configured bucket", () => {
  expect(readEnv({ SESSION_SECRET: secret })).toMatchObject({ s3: undefined, creativeQuota: 5 * 1024 ** 3 });
  expect(readEnv({ SESSION_SECRET: secret, S3_BUCKET: "ads", CREATIVE_QUOTA_MB: "1" })).toMatchObject({
    s3: { bucket: "ads", region: "us-east-1", endpoint: undefined, credentials: undefined, prefix: "" },
    creativeQuota: 1024 ** 2,
  });
  const other = {
    S3_BUCKET: "ads",
    S3_REGION: "eu-central-1",
    S3_ENDPOINT: "https://storage.example.com",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
    S3_PREFIX: "endcap/files",
  };
  expect(readEnv({ SESSION_SECRET: secret, ...other }).s3).toEqual({
    bucket: "ads",
    region: "eu-central-1",
    endpoint: "https://storage.example.com",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    prefix: "endcap/files/",
  });
});
