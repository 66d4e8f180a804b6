import { eq } from "drizzle-orm";
import { type MutableToken, OAuth2Server } from "oauth2-mock-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type OidcConfig, oidcProvidersSchema, requiredProvider } from "#app/domain/accounts/sign-in/oidc-config.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import * as environment from "#app/env.server.ts";
import * as outbound from "#app/outbound/send-outbound.server.ts";
import { loader as callback, action as callbackAction } from "#app/screens/public/auth-callback/route.tsx";
import { action as login, loader as loginPage } from "#app/screens/public/login/route.tsx";
import * as identityProviders from "#app/web/sign-in/identity-provider.server.ts";
import { auditEntries, users } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createRouteClient } from "#tests/support/route-client.ts";
import type { RouteClient } from "#tests/support/stand-in.ts";

/** Two providers, which verify PKCE and sign with keys of their own. */
const servers = { acme: new OAuth2Server(), other: new OAuth2Server() };
const db = useDatabase();
const origin = "http://localhost:3000";
let providers: OidcConfig[];
let claims: Record<string, unknown>;

beforeAll(async () => {
  for (const server of Object.values(servers)) {
    await server.issuer.keys.generate("RS256");
    await server.start(0, "127.0.0.1");
  }
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));

const issuerOf = (id: keyof typeof servers) => servers[id].issuer.url ?? "";

/** Adds a provider of any address, with one key of its own for this algorithm. */
async function addProvider(algorithm: string): Promise<OAuth2Server> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate(algorithm);
  await server.start(0, "127.0.0.1");
  onTestFinished(() => server.stop());
  identifyBy(server);
  const issuer = server.issuer.url ?? "";
  // An address belongs to the issuer that was first to name it.
  claims = { email: `kim@third-${new URL(issuer).port}.example`, email_verified: true };
  providers = [
    ...providers,
    { id: "third", name: "Third", issuer, clientId: "client", clientSecret: "s", domains: [] },
  ];
  return server;
}

const identifyBy = (server: OAuth2Server) =>
  server.service.on("beforeTokenSigning", (token: MutableToken, request) => {
    if (request.body.grant_type === "authorization_code") Object.assign(token.payload, claims);
  });

beforeEach(() => {
  claims = { email: "jo@acme.example", email_verified: true, name: "Jo Acme" };
  const of = (id: keyof typeof servers, domains: string[]) => ({
    id,
    name: id === "acme" ? "Acme" : "Other",
    issuer: issuerOf(id),
    clientId: "client",
    clientSecret: "secret",
    domains,
  });
  providers = oidcProvidersSchema.parse(JSON.stringify([of("acme", ["acme.example"]), of("other", [])]));
  const variables = { PUBLIC_URL: origin, SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" };
  const read = environment.readEnv({
    ...variables,
    ALLOW_STANDIN_SIGNIN: "1",
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
  });
  vi.spyOn(environment, "env").mockImplementation(() => ({ ...read, oidcProviders: providers }));
  for (const server of Object.values(servers)) identifyBy(server);
});
afterEach(() => {
  for (const server of Object.values(servers)) server.service.removeAllListeners();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Form = Record<string, string>;
const start = async (browser: RouteClient, form: Form) => browser.call(login, "/publisher/login", { form });

/** Presses a button and follows the provider back to the callback's URL. */
async function comeBack(browser: RouteClient, form: Form): Promise<URL> {
  const { location } = await start(browser, form);
  const answer = await fetch(location ?? "", { redirect: "manual" });
  return new URL(answer.headers.get("Location") ?? "");
}
const finish = (browser: RouteClient, url: URL) =>
  browser.call(callbackAction, url.pathname + url.search, { form: {} });
const signIn = async (form: Form, browser = createRouteClient(origin)) =>
  finish(browser, await comeBack(browser, form));
const personOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0];

const welcome = { status: 302, location: "/auth/callback?welcome=1" };
const failed = { status: 401, body: { face: "failed", message: "Authentication failed" } };

describe("signing in with a provider of OIDC_PROVIDERS", () => {
  it("shows a button for each, and a field that chooses one by domain", async () => {
    const { body } = await createRouteClient(origin).call(loginPage, "/publisher/login");
    expect(body).toMatchObject({
      ways: {
        hasGoogle: true,
        byEmail: true,
        providers: [
          { id: "acme", name: "Acme" },
          { id: "other", name: "Other" },
        ],
      },
    });
    const { location } = await start(createRouteClient(origin), { email: " Jo@ACME.example " });
    const url = new URL(location ?? "");
    expect(url.origin).toBe(issuerOf("acme"));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      login_hint: "Jo@ACME.example",
      scope: "openid email profile",
      code_challenge_method: "S256",
      redirect_uri: `${origin}/auth/callback`,
    });
    expect(url.searchParams.has("access_type")).toBe(false);
    expect((await start(createRouteClient(origin), { email: "jo@elsewhere.example" })).location).toContain(
      "/dev/google",
    );
  });

  it("signs the person in, once", async () => {
    const browser = createRouteClient(origin);
    const url = await comeBack(browser, { provider: "acme" });
    expect((await browser.call(callback, url.pathname + url.search)).body).toMatchObject({ face: "authenticating" });
    expect(await finish(browser, url)).toMatchObject(welcome);
    expect(await personOf("jo@acme.example")).toMatchObject({ name: "Jo Acme", accountId: null });
    expect((await personOf("jo@acme.example"))?.googleSubject).toMatch(/^oidc:[\w-]{43}$/);
    // Replayed in another browser, which has no attempt.
    expect(await finish(createRouteClient(origin), url)).toMatchObject(failed);
  });

  it("reads the person from the userinfo endpoint where the token has no address", async () => {
    claims = {};
    servers.other.service.on("beforeUserinfo", (response) => {
      response.body = { sub: "johndoe", email: "kim@kim.example", email_verified: true, name: "Kim" };
    });
    expect(await signIn({ provider: "other" })).toMatchObject(welcome);
    expect(await personOf("kim@kim.example")).toMatchObject({ name: "Kim" });
    servers.other.service.removeAllListeners("beforeUserinfo");
    servers.other.service.on("beforeUserinfo", (response) => {
      response.body = { sub: "someone else", email: "kim@kim.example", email_verified: true };
    });
    expect(await signIn({ provider: "other" })).toMatchObject(failed);
  });

  it("asks for keys again after the provider changed them, at most every 30 seconds", async () => {
    const server = await addProvider("RS256");
    expect(await signIn({ provider: "third" })).toMatchObject(welcome);
    await server.issuer.keys.generate("ES256");
    expect(await signIn({ provider: "third" })).toMatchObject(failed);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await signIn({ provider: "third" })).toMatchObject(welcome);
  });
});

describe("a token that is not good is refused", () => {
  it.each([
    ["RS256", welcome],
    ["PS256", welcome],
    ["ES256", welcome],
    ["RS512", failed],
    ["ES384", failed],
  ])("well signed by %s", async (algorithm, outcome) => {
    await addProvider(algorithm);
    expect(await signIn({ provider: "third" })).toMatchObject(outcome);
  });

  const bad: Record<string, Record<string, unknown>> = {
    "of another issuer": { iss: "https://elsewhere.example" },
    "for another client": { aud: "someone" },
    "for several clients without a holder": { aud: ["client", "someone"] },
    "held by another client": { aud: ["client", "someone"], azp: "someone" },
    "with another nonce": { nonce: "another" },
    "without a nonce": { nonce: undefined },
    expired: { exp: 1_700_000_000 },
    old: { iat: 1_700_000_000 },
    "without a person": { sub: "" },
    "with an address that is not verified": { email: "mallory@elsewhere.example", email_verified: false },
    "with a text as verification": { email: "mallory@elsewhere.example", email_verified: "true" },
  };
  it.each(Object.entries(bad))("%s", async (_, changed) => {
    claims = { ...claims, ...changed };
    expect(await signIn({ provider: "acme" })).toMatchObject(failed);
  });

  /** Answers the exchange with a token of our own. */
  const answerWith = (change: (parts: [string, string, string]) => [string, string, string]) =>
    servers.acme.service.on("beforeResponse", (response) => {
      const [head = "", body = "", signature = ""] = String(Reflect.get(response.body, "id_token")).split(".");
      Object.assign(response.body, { id_token: change([head, body, signature]).join(".") });
    });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  it.each<[string, Parameters<typeof answerWith>[0]]>([
    ["without a signature", ([, body]) => [encode({ alg: "none" }), body, ""]],
    ["signed with the client's secret", ([, body]) => [encode({ alg: "HS256" }), body, "c2lnbmF0dXJl"]],
    ["changed after it was signed", ([head, , signature]) => [head, encode({ sub: "root" }), signature]],
    [
      "signed with a key that the provider does not have",
      ([, body, s]) => [encode({ alg: "RS256", kid: "x" }), body, s],
    ],
  ])("%s", async (_, change) => {
    answerWith(change);
    expect(await signIn({ provider: "acme" })).toMatchObject(failed);
  });
});

describe("providers are kept apart", () => {
  it("a code goes only to the provider that its sign-in was started with", async () => {
    const browser = createRouteClient(origin);
    const honest = await comeBack(browser, { provider: "acme" });
    await start(browser, { provider: "other" });
    expect(await finish(browser, honest)).toMatchObject(failed);
  });

  it("a callback that names another issuer is refused (RFC 9207)", async () => {
    const browser = createRouteClient(origin);
    const url = await comeBack(browser, { provider: "acme" });
    url.searchParams.set("iss", issuerOf("other"));
    expect(await finish(browser, url)).toMatchObject(failed);
  });

  it("a callback without the issuer is refused where the provider says that it names it", async () => {
    const send = outbound.sendOutbound;
    vi.spyOn(outbound, "sendOutbound").mockImplementation(async (asked) => {
      const { body, ...response } = await send(asked);
      if (!String(asked.url).endsWith("/.well-known/openid-configuration")) return { ...response, body };
      const found: unknown = JSON.parse(body.toString());
      const named = { ...Object(found), authorization_response_iss_parameter_supported: true };
      return { ...response, body: Buffer.from(JSON.stringify(named)) };
    });
    // Another key in the memory of endpoints, so that they are asked for.
    providers = providers.map((one) => ({ ...one, signInOrigin: one.issuer }));
    const browser = createRouteClient(origin);
    const url = await comeBack(browser, { provider: "acme" });
    expect(await finish(browser, url)).toMatchObject(failed);
    const named = await comeBack(browser, { provider: "acme" });
    named.searchParams.set("iss", issuerOf("acme"));
    expect(await finish(browser, named)).toMatchObject(welcome);
  });

  it("a domain's people cannot use Google", async () => {
    const { location } = await start(createRouteClient(origin), {});
    expect(location).toContain("/dev/google/authorize");
    const google = identityProviders.googleFrom({
      authorizationUrl: `${issuerOf("other")}/authorize`,
      tokenUrl: `${issuerOf("other")}/token`,
      userInfoUrl: `${issuerOf("other")}/userinfo`,
      issuers: [issuerOf("other")],
      clientId: "client",
      clientSecret: "secret",
    });
    vi.spyOn(identityProviders, "findIdentityProvider").mockResolvedValue(google);
    servers.other.service.on("beforeUserinfo", (response) => {
      response.body = { sub: "johndoe", ...claims };
    });
    claims = { email: "lee@acme.example", email_verified: true };
    expect(await signIn({})).toMatchObject({
      status: 401,
      body: { message: "People with this email domain sign in with Acme" },
    });
    expect(await personOf("lee@acme.example")).toBeUndefined();
    claims = { email: "lee@plain.example", email_verified: true };
    expect(await signIn({})).toMatchObject(welcome);
  });

  it("a domain's people sign in with its provider only", async () => {
    claims = { email: "mallory@acme.example", email_verified: true };
    expect(await signIn({ provider: "other" })).toMatchObject({
      status: 401,
      body: { message: "People with this email domain sign in with Acme" },
    });
    expect(await personOf("mallory@acme.example")).toBeUndefined();
  });

  it("an address belongs to the user who has it, unless its domain's provider says whose it is", async () => {
    const visitor = { db: db(), clock: () => new Date(), entrypoint: "screen", report: () => undefined } as const;
    const atGoogle = (email: string) =>
      signInUser(visitor, { subject: `google-${email}`, email, emailVerified: true, name: "Old", picture: undefined });
    const { userId } = await atGoogle("pat@acme.example");
    await atGoogle("pat@plain.example");
    claims = { email: "pat@plain.example", email_verified: true, sub: "pat" };
    expect(await signIn({ provider: "other" })).toMatchObject(failed);
    claims = { email: "Pat@acme.example", email_verified: false, sub: "pat" };
    expect(await signIn({ provider: "acme" })).toMatchObject(welcome);
    const [moved] = await db().select().from(users).where(eq(users.id, userId));
    expect(moved?.googleSubject).toMatch(/^oidc:/);
    expect(await db().$count(auditEntries, eq(auditEntries.action, "user.identity_changed"))).toBe(1);
    // Another person to whom the provider gave the address does not become this user.
    claims = { ...claims, sub: "someone else" };
    expect(await signIn({ provider: "acme" })).toMatchObject(failed);
    const [same] = await db().select().from(users).where(eq(users.id, userId));
    expect(same?.googleSubject).toBe(moved?.googleSubject);
    // The former identity has lost the address.
    await expect(atGoogle("pat@acme.example")).rejects.toThrow("Authentication failed");
  });
});

describe("a provider that cannot be used", () => {
  it("is named with its problem, and the address is kept", async () => {
    providers = providers.map((one) => ({ ...one, issuer: "http://127.0.0.1:9" }));
    const { status, body } = await start(createRouteClient(origin), { email: "jo@acme.example" });
    expect([status, body]).toEqual([
      503,
      { message: "Acme can't be reached. Try again in a minute.", email: "jo@acme.example" },
    ]);
  });

  it("that was known before stays usable for every sign-in, and is asked again a minute later", async () => {
    await addProvider("RS256");
    const begin = async () => (await start(createRouteClient(origin), { provider: "third" })).status;
    expect(await begin()).toBe(302);
    const asked = vi.spyOn(outbound, "sendOutbound").mockRejectedValue(new Error("away"));
    vi.setSystemTime(Date.now() + 3_700_000);
    expect([await begin(), await begin(), await begin()]).toEqual([302, 302, 302]);
    expect(asked).toHaveBeenCalledOnce();
    vi.setSystemTime(Date.now() + 61_000);
    expect(await begin()).toBe(302);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("is refused when its configuration is another issuer's, or its sign-in page is elsewhere", async () => {
    const [acme] = providers;
    if (!acme) throw new Error("no provider");
    providers = [{ ...acme, issuer: acme.issuer.replace("localhost", "127.0.0.1") }];
    expect(providers[0]?.issuer).not.toBe(acme.issuer);
    expect((await start(createRouteClient(origin), { provider: "acme" })).status).toBe(503);
    providers = [{ ...acme, signInOrigin: "https://login.example" }];
    expect((await start(createRouteClient(origin), { provider: "acme" })).status).toBe(503);
    expect((await start(createRouteClient(origin), { provider: "nobody" })).status).toBe(422);
  });
});

describe("OIDC_PROVIDERS", () => {
  const one = { id: "acme", name: "Acme", issuer: "https://id.acme.example", clientId: "c", clientSecret: "s" };
  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["no list", one],
    ["an id of Google's", [{ ...one, id: "google" }]],
    ["an issuer without TLS", [{ ...one, issuer: "http://id.acme.example" }]],
    ["a misspelled field", [{ ...one, domain: "acme.example" }]],
    ["the same id twice", [one, { ...one, issuer: "https://two.example" }]],
    ["the same issuer twice", [one, { ...one, id: "two" }]],
    [
      "a domain twice",
      [
        { ...one, domains: ["a.example"] },
        { ...one, id: "b", issuer: "https://b.example", domains: ["A.example"] },
      ],
    ],
  ])("with %s stops the start", (_, value) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const variables = { SESSION_SECRET: "s".repeat(32), OIDC_PROVIDERS: text };
    expect(() => environment.readEnv(variables)).toThrow("OIDC_PROVIDERS");
  });

  it("takes the place of Google and of the stand-in", () => {
    const variables = { SESSION_SECRET: "s".repeat(32), OIDC_PROVIDERS: JSON.stringify([one]) };
    expect(environment.readEnv({ ...variables, PUBLIC_URL: "https://ads.example" }).hasStandIn).toBe(false);
    expect(environment.readEnv(variables).hasStandIn).toBe(false);
    expect(environment.readEnv({ ...variables, ALLOW_STANDIN_SIGNIN: "1" }).hasStandIn).toBe(true);
    expect(() => environment.readEnv({ SESSION_SECRET: "s".repeat(32), PUBLIC_URL: "https://ads.example" })).toThrow(
      "OIDC_PROVIDERS",
    );
  });

  it("matches the whole domain of an address, in any case", () => {
    const list = oidcProvidersSchema.parse(JSON.stringify([{ ...one, domains: ["acme.example"] }]));
    const found = (email: string) => requiredProvider(list, email)?.id;
    expect([found("a@acme.example"), found("a@ACME.Example "), found('"x@y"@acme.example')]).toEqual(
      Array(3).fill("acme"),
    );
    expect([found("a@sub.acme.example"), found("a@notacme.example"), found("acme.example"), found("")]).toEqual(
      Array(4).fill(undefined),
    );
  });
});
