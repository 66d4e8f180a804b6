import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loader as api, action as apiAction } from "#app/api/route.ts";
import { loader as authorize, action as authorizeAction } from "#app/screens/dev/google/authorize/route.tsx";
import { action as token } from "#app/screens/dev/google/token/route.ts";
import { loader as callback, action as callbackAction } from "#app/screens/public/auth-callback/route.tsx";
import { loader as landing } from "#app/screens/public/landing/route.tsx";
import { action as login, loader as loginPage } from "#app/screens/public/login/route.tsx";
import { action as logoutAction, loader as logoutPage } from "#app/screens/public/logout/route.tsx";
import { action as register } from "#app/screens/public/register/route.tsx";
import { sessions, signInAttempts, users } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type RouteClient, signInCallbackUrl, useStandIn } from "#tests/support/stand-in.ts";

const db = useDatabase();
const provider = useStandIn();

afterEach(() => {
  provider.answerWith(undefined);
  vi.useRealTimers();
});

const path = (url: URL) => url.pathname + url.search;
const countSessions = () => db().$count(sessions);

/** Posts the callback as the page's script does. */
const complete = (browser: RouteClient, url: URL) => browser.call(callbackAction, path(url), { form: {} });

async function expectRejected(response: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await response;
  expect({ status, body }).toEqual({ status: 401, body: { face: "failed", message: "Authentication failed" } });
}

describe("signing in", () => {
  it("shows Authenticating, then Welcome, then a newcomer's registration for the portal", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "new.person@example.org");
    expect((await browser.call(callback, path(url))).body).toMatchObject({ face: "authenticating" });
    const done = await complete(browser, url);
    expect(done).toMatchObject({ status: 302, location: "/auth/callback?welcome=1" });
    expect((await browser.call(callback, "/auth/callback?welcome=1")).body).toEqual({
      face: "welcome",
      to: "/register?type=advertiser",
    });
    const [user] = await db().select().from(users).where(eq(users.email, "new.person@example.org"));
    expect(user).toMatchObject({
      googleSubject: "stand-in:new.person@example.org",
      name: "New Person",
      accountId: null,
    });
  });

  it("ends at the same page without scripting", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "plain@example.org");
    const { body } = await browser.call(callback, path(url));
    const completeUrl = String(Reflect.get(Object(body), "completeUrl"));
    expect(await browser.call(callback, completeUrl)).toMatchObject({
      status: 302,
      location: "/auth/callback?welcome=1",
    });
    expect((await browser.call(callback, "/auth/callback?welcome=1")).body).toEqual({
      face: "welcome",
      to: "/register?type=advertiser",
    });
  });

  it("returns to the page first requested, on this site only", async () => {
    const there = provider.browser();
    await complete(
      there,
      await signInCallbackUrl(
        there,
        "a@example.org",
        "/publisher/login?redirectTo=%2Fpublisher%2Fapproval%3Fstatus%3Dall",
      ),
    );
    expect((await there.call(callback, "/auth/callback?welcome=1")).body).toEqual({
      face: "welcome",
      to: "/publisher/approval?status=all",
    });
    const away = provider.browser();
    await complete(
      away,
      await signInCallbackUrl(away, "a@example.org", "/publisher/login?redirectTo=%2F%2Fevil.example"),
    );
    expect((await away.call(callback, "/auth/callback?welcome=1")).body).toEqual({
      face: "welcome",
      to: "/register?type=publisher",
    });
  });

  it("leads to the landing page for whom no registration is left, and for whom no portal was asked for", async () => {
    const member = provider.browser();
    await complete(member, await signInCallbackUrl(member, "member@example.org"));
    await member.call(register, "/register?type=publisher", {
      form: { user_type: "publisher", company_name: "Member & Co" },
    });
    await complete(member, await signInCallbackUrl(member, "member@example.org"));
    expect((await member.call(callback, "/auth/callback?welcome=1")).body).toEqual({ face: "welcome", to: "/" });
    const newcomer = await signedIn("no-portal@example.org");
    await db().update(signInAttempts).set({ redirectTo: null });
    expect((await newcomer.call(callback, "/auth/callback?welcome=1")).body).toEqual({ face: "welcome", to: "/" });
    expect((await newcomer.call(landing, "/")).body).toMatchObject({ userType: "pending" });
    expect((await member.call(landing, "/")).body).toMatchObject({ userType: "publisher" });
  });

  it("keeps the stand-in's page on PUBLIC_URL, whatever Host says", async () => {
    const browser = provider.browser();
    const url = new URL(
      (await browser.call(login, "http://evil.example/advertiser/login", { form: {} })).location ?? "",
    );
    expect(url.origin).toBe(provider.origin());
    expect(url.searchParams.get("redirect_uri")).toBe(`${provider.origin()}/auth/callback`);
  });

  it("redirects a signed-in user from the login page", async () => {
    const browser = await signedIn("a@example.org");
    expect(await browser.call(loginPage, "/publisher/login")).toMatchObject({
      status: 302,
      location: "/publisher/dashboard",
    });
    expect(await browser.call(loginPage, "/advertiser/login?redirectTo=/advertiser/campaigns")).toMatchObject({
      location: "/advertiser/campaigns",
    });
    expect((await provider.browser().call(loginPage, "/publisher/login")).body).toMatchObject({ portal: "publisher" });
  });

  it("uses PKCE, state and nonce, and stores none of the browser's secrets", async () => {
    const browser = provider.browser();
    const { searchParams } = new URL((await browser.call(login, "/advertiser/login", { form: {} })).location ?? "");
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    expect(searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
    const rows = JSON.stringify(await db().select().from(signInAttempts));
    expect(rows).not.toContain(searchParams.get("state"));
    const [signed = ""] = decodeURIComponent(browser.jar.get("portal_sign_in") ?? "").split(".");
    const browserSecret: unknown = JSON.parse(atob(signed));
    expect(browserSecret).toMatch(/^[\w-]{43}$/);
    expect(rows).not.toContain(browserSecret);
  });

  it("sets cookies that scripts cannot read and other sites cannot send with a POST", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    const cookie = (await complete(browser, url)).headers.getSetCookie().join();
    expect(cookie).toMatch(
      /^portal_session=\w{60}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax,portal_device=\w{60}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it("works in two browsers at the same time, each with its own attempt", async () => {
    const [one, other] = [provider.browser(), provider.browser()];
    const urls = [
      await signInCallbackUrl(one, "one@example.org"),
      await signInCallbackUrl(other, "other@example.org"),
    ] as const;
    expect(await complete(one, urls[0])).toMatchObject({ location: "/auth/callback?welcome=1" });
    expect(await complete(other, urls[1])).toMatchObject({ location: "/auth/callback?welcome=1" });
    expect((await other.call(api, "/api/users/me")).body).toMatchObject({ email: "other@example.org" });
  });

  it("starts with a new secret, whatever cookie the browser had", async () => {
    const browser = provider.browser();
    await signInCallbackUrl(browser, "a@example.org");
    const planted = browser.jar.get("portal_sign_in");
    await signInCallbackUrl(browser, "a@example.org");
    expect(browser.jar.get("portal_sign_in")).not.toBe(planted);
  });

  it("gives a browser a new session id and invalidates the old one", async () => {
    const browser = await signedIn("rotate@example.org");
    const before = browser.jar.get("portal_session");
    await complete(browser, await signInCallbackUrl(browser, "rotate@example.org"));
    expect(browser.jar.get("portal_session")).not.toBe(before);
    const old = provider.browser();
    old.jar.set("portal_session", before ?? "");
    expect((await old.call(loginPage, "/advertiser/login")).status).toBe(200);
  });
});

async function signedIn(email: string) {
  const browser = provider.browser();
  await complete(browser, await signInCallbackUrl(browser, email));
  return browser;
}

describe("a sign-in is rejected", () => {
  it("1. without a code", async () => {
    const response = await provider.browser().call(callback, "/auth/callback");
    expect(response).toMatchObject({
      status: 400,
      body: { face: "failed", message: "No authorization code provided" },
    });
  });

  it("2. when the person declined at the provider", async () => {
    const browser = provider.browser();
    const started = await browser.call(login, "/advertiser/login", { form: {} });
    const { body } = await browser.call(authorize, started.location ?? "");
    const cancelUrl = new URL(String(Reflect.get(Object(body), "cancelUrl")));
    expect(cancelUrl.searchParams.get("error")).toBe("access_denied");
    expect(await browser.call(callback, path(cancelUrl))).toMatchObject({
      status: 400,
      body: { message: "No authorization code provided" },
    });
  });

  it("3. with the state of another browser", async () => {
    const [ownBrowser, otherBrowser] = [provider.browser(), provider.browser()];
    const [url, other] = [
      await signInCallbackUrl(ownBrowser, "a@example.org"),
      await signInCallbackUrl(otherBrowser, "b@example.org"),
    ];
    url.searchParams.set("state", other.searchParams.get("state") ?? "");
    await expectRejected(complete(ownBrowser, url));
  });

  it("4. without a state", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    url.searchParams.delete("state");
    await expectRejected(complete(browser, url));
  });

  it("5. with a complete callback of another browser", async () => {
    const [attacker, victim] = [provider.browser(), provider.browser()];
    await signInCallbackUrl(victim, "victim@example.org");
    await expectRejected(complete(victim, await signInCallbackUrl(attacker, "attacker@example.org")));
    await expectRejected(complete(provider.browser(), await signInCallbackUrl(attacker, "attacker@example.org")));
  });

  it("6. with another person's code and one's own state, because the verifier does not match", async () => {
    const [attacker, victim] = [provider.browser(), provider.browser()];
    const url = await signInCallbackUrl(victim, "victim@example.org");
    url.searchParams.set(
      "code",
      (await signInCallbackUrl(attacker, "attacker@example.org")).searchParams.get("code") ?? "",
    );
    await expectRejected(complete(victim, url));
  });

  it("7. with an attempt that a later one of the same browser replaced", async () => {
    const browser = provider.browser();
    const first = await signInCallbackUrl(browser, "a@example.org");
    await signInCallbackUrl(browser, "a@example.org");
    await expectRejected(complete(browser, first));
  });

  it("7b. with an attempt's cookie that this product did not sign", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    const [value = ""] = (browser.jar.get("portal_sign_in") ?? "").split(".");
    for (const forged of [value, `${value}.${"A".repeat(43)}`, "x", "%", "bnVsbA%3D%3D"]) {
      browser.jar.set("portal_sign_in", forged);
      await expectRejected(complete(browser, url));
      expect((await exchange(browser, url)).status).toBe(401);
    }
  });

  it("8. after ten minutes", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    await db()
      .update(signInAttempts)
      .set({ createdAt: new Date(Date.now() - 10 * 60_000) });
    await expectRejected(complete(browser, url));
  });

  it("9. with a code older than five minutes", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 60_000 + 1_000 });
    await expectRejected(complete(browser, url));
  });

  it("10. with a used code: by the API, and at the stand-in itself", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    const jar = new Map(browser.jar);
    await complete(browser, url);
    const replay = provider.browser();
    for (const [name, value] of jar) replay.jar.set(name, value);
    expect((await exchange(replay, url)).status).toBe(401);
    await db().update(signInAttempts).set({ usedAt: null });
    expect((await exchange(replay, url)).status).toBe(401);
  });

  it.each([
    ["11. when the provider answers 500", async () => new Response("{}", { status: 500 })],
    ["12. when the provider answers what is no JSON", async () => new Response("<html>")],
    ["13. when the provider's id_token is missing", async () => new Response('{"access_token":"x"}')],
  ])("%s", async (_, response) => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    provider.answerWith(response);
    await expectRejected(complete(browser, url));
  });

  it("14. when the provider is too slow, within the ten seconds of a request", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    provider.answerWith(() => new Promise((resolve) => setTimeout(() => resolve(new Response("{}")), 60_000).unref()));
    const began = Date.now();
    await expectRejected(complete(browser, url));
    expect(Date.now() - began).toBeLessThan(45_000);
  });

  it("15. with a different callback, client or challenge method", async () => {
    const browser = provider.browser();
    const started = new URL((await browser.call(login, "/advertiser/login", { form: {} })).location ?? "");
    for (const [name, value] of [
      ["redirect_uri", "https://evil.example/auth/callback"],
      ["client_id", "another"],
      ["code_challenge_method", "plain"],
      ["code_challenge", ""],
      ["response_type", "token"],
      ["state", ""],
    ] as const) {
      const changed = new URL(started);
      changed.searchParams.set(name, value);
      expect((await browser.call(authorize, `${changed.href}&login_hint=a@example.org`)).status).toBe(400);
      expect((await browser.call(authorizeAction, changed.href, { form: { email: "a@example.org" } })).status).toBe(
        400,
      );
    }
  });

  it("16. when a token is requested without the client's secret", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "a@example.org");
    const form = {
      grant_type: "authorization_code",
      client_id: "stand-in-client",
      client_secret: "guessed",
      code: url.searchParams.get("code") ?? "",
      code_verifier: "x",
      redirect_uri: `${provider.origin()}/auth/callback`,
    };
    expect(await browser.call(token, "/dev/google/token", { form })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });
});

/** Sends `POST /api/sessions` from a browser. */
function exchange(browser: RouteClient, url: URL) {
  return browser.call(apiAction, "/api/sessions", { json: { code: url.searchParams.get("code") } });
}

describe("a client without a browser", () => {
  it("signs in through the API alone", async () => {
    const client = provider.browser();
    const { body } = await client.call(api, "/api/oauth/google/redirect_url");
    const granted = await client.call(
      authorize,
      `${Reflect.get(Object(body), "redirectUrl")}&login_hint=client@example.org`,
    );
    const url = new URL(granted.location ?? "");
    expect(await exchange(client, url)).toMatchObject({ status: 200, body: { success: true } });
    expect((await client.call(api, "/api/users/me")).body).toEqual({
      id: expect.any(String),
      email: "client@example.org",
      name: "Client",
      picture: null,
      user_type: "pending",
      status: "pending",
      company_name: null,
    });
    expect((await client.call(api, "/api/logout")).body).toEqual({ success: true });
    expect((await client.call(api, "/api/users/me")).status).toBe(401);
  });

  it("creates one session per code, however many exchange it at the same time", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "many@example.org");
    const before = await countSessions();
    const responses = await Promise.all(Array.from({ length: 20 }, () => exchange(browser, url)));
    expect(responses.map((one) => one.status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    expect(await countSessions()).toBe(before + 1);
  });
});

describe("a callback that is opened twice", () => {
  it("succeeds for the same browser, with one session", async () => {
    const browser = provider.browser();
    const url = await signInCallbackUrl(browser, "twice@example.org");
    const before = await countSessions();
    const both = await Promise.all([complete(browser, url), complete(browser, url)]);
    expect(both.map((one) => one.location)).toEqual(["/auth/callback?welcome=1", "/auth/callback?welcome=1"]);
    expect((await browser.call(callback, "/auth/callback?welcome=1")).body).toEqual({
      face: "welcome",
      to: "/register?type=advertiser",
    });
    expect(await countSessions()).toBe(before + 1);
    expect(await complete(browser, url)).toMatchObject({ location: "/auth/callback?welcome=1" });
  });

  it("waits while the other request is in progress, and fails when that fails", async () => {
    const browser = provider.browser();
    await signInCallbackUrl(browser, "a@example.org");
    await db().update(signInAttempts).set({ usedAt: new Date() });
    expect((await browser.call(callback, "/auth/callback?welcome=1")).body).toEqual({ face: "waiting" });
    await db()
      .update(signInAttempts)
      .set({ usedAt: new Date(Date.now() - 60_000) });
    await expectRejected(browser.call(callback, "/auth/callback?welcome=1"));
    await expectRejected(provider.browser().call(callback, "/auth/callback?welcome=1"));
  });
});

describe("signing out", () => {
  it("works with a form, revokes the session and redirects to the landing page", async () => {
    const browser = await signedIn("out@example.org");
    const cookie = browser.jar.get("portal_session") ?? "";
    expect(await browser.call(logoutPage, "/logout")).toMatchObject({ status: 302, location: "/" });
    expect(browser.jar.get("portal_session")).toBe(cookie);
    expect(await browser.call(logoutAction, "/logout", { form: {} })).toMatchObject({ status: 302, location: "/" });
    expect(browser.jar.has("portal_session")).toBe(false);
    browser.jar.set("portal_session", cookie);
    expect((await browser.call(loginPage, "/advertiser/login")).status).toBe(200);
  });

  it.each<[string, { type?: string; body?: string }]>([
    ["without a body", {}],
    ["with an empty form", { type: "application/x-www-form-urlencoded", body: "" }],
    ["with JSON", { type: "application/json", body: "{}" }],
    ["with text", { type: "text/plain", body: "x" }],
    ["with a form in another charset", { type: "application/x-www-form-urlencoded; charset=utf-16", body: "a=1" }],
    ["with a form that is cut off", { type: "multipart/form-data; boundary=b", body: "--b\r\nContent-Dispo" }],
    ["with a form without a boundary", { type: "multipart/form-data", body: "a=1" }],
    ["with hostile field names", { type: "application/x-www-form-urlencoded", body: "name[5000000]=1&__intent__={" }],
    ["with a body that is too large", { type: "application/x-www-form-urlencoded", body: "a=".padEnd(100_000, "x") }],
  ])("works %s", async (_what, { type, body }) => {
    const browser = await signedIn("out@example.org");
    const cookie = browser.jar.get("portal_session") ?? "";
    const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
    const request = { method: "POST", headers, body: body === undefined ? undefined : Buffer.from(body) };
    expect(await browser.call(logoutAction, "/logout", request)).toMatchObject({ status: 302, location: "/" });
    expect(browser.jar.has("portal_session")).toBe(false);
    browser.jar.set("portal_session", cookie);
    expect((await browser.call(loginPage, "/advertiser/login")).status).toBe(200);
  });

  it("works for all sessions on request", async () => {
    const [here, there] = [await signedIn("both@example.org"), await signedIn("both@example.org")];
    await here.call(logoutAction, "/logout", { form: { intent: "everywhere" } });
    expect((await there.call(loginPage, "/advertiser/login")).status).toBe(200);
  });

  it("works for all sessions on request, whatever other fields the form has", async () => {
    const [here, there] = [await signedIn("both@example.org"), await signedIn("both@example.org")];
    await here.call(logoutAction, "/logout", { form: { __intent__: "{", intent: "everywhere" } });
    expect((await there.call(loginPage, "/advertiser/login")).status).toBe(200);
  });
});

describe("the stand-in's page", () => {
  it("accepts any email address and rejects invalid ones", async () => {
    const browser = provider.browser();
    const started = await browser.call(login, "/advertiser/login", { form: {} });
    const chosen = await browser.call(authorizeAction, started.location ?? "", {
      form: { email: "  Anybody@Example.org " },
    });
    await complete(browser, new URL(chosen.location ?? ""));
    expect(await db().$count(users, eq(users.email, "anybody@example.org"))).toBe(1);
    const wrong = await browser.call(authorizeAction, started.location ?? "", { form: { email: "nobody" } });
    expect(wrong).toMatchObject({
      status: 422,
      body: { initialValue: { email: "nobody" }, error: { email: ["Enter an email address"] } },
    });
  });
});
