import { createSession, type SessionStorage } from "@remix-run/node";
import { type JWK, type MutableToken, OAuth2Server } from "oauth2-mock-server";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Identity } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { googleFrom } from "#app/web/sign-in/identity-provider.server.ts";
import { PkceStrategy } from "#app/web/sign-in/pkce-strategy.server.ts";

/** Tests the strategy against an independent provider: a mock server that verifies PKCE. */
let server: OAuth2Server;
let key: JWK;

beforeAll(async () => {
  key = await new OAuth2Server().issuer.keys.generate("RS256");
});
// New for each test: after a wrong verifier the mock closes its connection, which the next request would reuse.
beforeEach(async () => {
  server = new OAuth2Server();
  await server.issuer.keys.add(key);
  await server.start(0, "127.0.0.1");
});
afterEach(() => server.stop());

const origin = "https://ads.example.com";
const verifier = "v".repeat(43);

type Endpoints = Parameters<typeof googleFrom>[0];

function provider(changes: Partial<Endpoints> = {}) {
  const url = server.issuer.url ?? "";
  return googleFrom({
    authorizationUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    userInfoUrl: `${url}/userinfo`,
    issuers: [url],
    clientId: "client",
    clientSecret: "secret",
    ...changes,
  });
}

/** Redirects to the provider and back; `at` changes the state before the callback. */
async function signIn(at: { codeVerifier?: string; nonce?: string; provider?: Partial<Endpoints> } = {}) {
  const secrets = { codeVerifier: verifier, nonce: "nonce" };
  const authorization = await authorizationUrl(
    new PkceStrategy(provider(), { origin, loginHint: "person@example.org" }),
    storage(secrets),
  );
  const back = new URL((await fetch(authorization, { redirect: "manual" })).headers.get("Location") ?? "");
  expect(back.href).toContain(`${origin}/auth/callback?`);
  const strategy = new PkceStrategy(provider(at.provider), { origin });
  const { provider: _, ...changed } = at;
  const session = { "oauth2:state": authorization.searchParams.get("state"), ...secrets, ...changed };
  return {
    authorization,
    identity: strategy.authenticate(new Request(back), storage(session), options),
  };
}

const options = {
  sessionKey: "user",
  sessionErrorKey: "e",
  sessionStrategyKey: "s",
  name: "google",
  throwOnError: true,
};

function storage(data: Record<string, unknown>) {
  const session = createSession(data);
  return { getSession: async () => session, commitSession: async () => "", destroySession: async () => "" };
}

async function authorizationUrl(strategy: PkceStrategy, session: SessionStorage): Promise<URL> {
  const thrown = await strategy.authenticate(new Request(`${origin}/`), session, options).catch((one) => one);
  if (!(thrown instanceof Response)) throw new Error("no redirect");
  return new URL(thrown.headers.get("Location") ?? "");
}

/** Sets the provider's claims about the user. */
function person(info: Record<string, unknown>) {
  server.service.on("beforeUserinfo", (response) => {
    response.body = { sub: "johndoe", email: "person@example.org", email_verified: true, name: "A Person", ...info };
  });
}

function claims(change: (payload: MutableToken["payload"]) => void) {
  server.service.on("beforeTokenSigning", (token) => {
    change(token.payload);
  });
}

describe("signing in at an OpenID provider", () => {
  it("returns the person that it vouches for", async () => {
    person({ picture: "https://pictures.example/1.png" });
    const { authorization, identity } = await signIn();
    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "client",
      redirect_uri: `${origin}/auth/callback`,
      code_challenge_method: "S256",
      nonce: "nonce",
      login_hint: "person@example.org",
      scope: expect.stringContaining("openid"),
    });
    expect(await identity).toEqual<Identity>({
      subject: "johndoe",
      email: "person@example.org",
      emailVerified: true,
      name: "A Person",
      picture: "https://pictures.example/1.png",
    });
  });

  it("is rejected with a wrong verifier", async () => {
    person({});
    await expect((await signIn({ codeVerifier: "w".repeat(43) })).identity).rejects.toThrow("Authentication failed");
  });

  it("is rejected with the nonce of another sign-in", async () => {
    person({});
    await expect((await signIn({ nonce: "another" })).identity).rejects.toThrow("Authentication failed");
  });

  it("is rejected with another issuer", async () => {
    person({});
    await expect((await signIn({ provider: { issuers: ["https://accounts.google.com"] } })).identity).rejects.toThrow();
  });

  it.each([
    ["for another audience", (payload: MutableToken["payload"]) => Object.assign(payload, { aud: "somebody else" })],
    [
      "for several audiences",
      (payload: MutableToken["payload"]) => Object.assign(payload, { aud: ["client", "other"] }),
    ],
    ["of another person", (payload: MutableToken["payload"]) => Object.assign(payload, { sub: "somebody else" })],
    ["that is too old", (payload: MutableToken["payload"]) => Object.assign(payload, { exp: 1_700_000_000 })],
    ["without a nonce", (payload: MutableToken["payload"]) => Object.assign(payload, { nonce: undefined })],
  ])("is rejected with an id_token %s", async (_, change) => {
    person({});
    claims(change);
    await expect((await signIn()).identity).rejects.toThrow();
  });

  it.each([false, "true", 1, null, undefined])("does not treat %j as a verified address", async (verified) => {
    person({ email_verified: verified });
    const { identity } = await signIn();
    const found = await identity.then(
      (one) => one.emailVerified,
      () => false,
    );
    expect(found).toBe(false);
  });

  it.each([
    ["token", "beforeResponse" as const],
    ["userinfo", "beforeUserinfo" as const],
  ])("is rejected when %s returns 500", async (_, event) => {
    if (event !== "beforeUserinfo") person({});
    server.service.on(event, (response: { statusCode: number }) => {
      response.statusCode = 500;
    });
    await expect((await signIn()).identity).rejects.toThrow("Authentication failed");
  });
});
