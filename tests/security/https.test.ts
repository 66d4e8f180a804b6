import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { action as callbackAction } from "#app/screens/public/auth-callback/route.tsx";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { signInCallbackUrl, useStandIn } from "#tests/support/stand-in.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const publicUrl = "https://ads.example.com";
const db = useDatabase();
const standIn = useStandIn({ PUBLIC_URL: publicUrl, ALLOW_STANDIN_SIGNIN: "1" });
const hostCookie = /^__Host-portal_\w+=[^;]*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/;

let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** Both kinds of server by their real answers; signing in needs the address that the identity provider would call. */
type Kind = {
  kind: string;
  environment: Record<string, string>;
  name: string;
  otherName: string;
  cookie: RegExp;
  transportSecurity: string | null;
};
const kinds: Kind[] = [
  {
    kind: "https",
    environment: { PUBLIC_URL: publicUrl, ALLOW_STANDIN_SIGNIN: "1" },
    name: "__Host-portal_session",
    otherName: "portal_session",
    cookie: hostCookie,
    transportSecurity: "max-age=31536000; includeSubDomains",
  },
  {
    kind: "http on this machine",
    environment: {},
    name: "portal_session",
    otherName: "__Host-portal_session",
    cookie: /^portal_\w+=[^;]*; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    transportSecurity: null,
  },
];

describe.each(kinds)("a server on $kind", ({ environment, name, otherName, cookie, transportSecurity }) => {
  let server: AppServer;
  let token: string;
  beforeAll(async () => {
    const variables = { RATE_LIMITS: "off", LOG_LEVEL: "warn", WORKER: "off", TEST_MODE: "on", ...environment };
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment: variables });
    token = (await world.cookieOf("northwind")).replace(/^[^=]*=/, "");
  }, 180_000);
  afterAll(() => server?.kill());

  const send = (path: string, init: RequestInit = {}) => fetch(server.origin + path, { redirect: "manual", ...init });

  test("every cookie is for this host only, and unreadable for scripts and other sites", async () => {
    const form = { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" } };
    const answers = await Promise.all([
      send("/api/oauth/google/redirect_url"),
      send("/advertiser/login", form),
      send("/logout", form),
      send("/api/logout"),
      send("/advertiser/test-mode", form),
    ]);
    const set = answers.map((answer) => answer.headers.getSetCookie());
    for (const cookies of set) expect(cookies.length).toBeGreaterThan(0);
    for (const one of set.flat()) expect(one).toMatch(cookie);
  });

  test("a session cookie counts under its own name only", async () => {
    const me = async (cookieName: string) =>
      (await send("/api/users/me", { headers: { Cookie: `${cookieName}=${token}` } })).status;
    expect([await me(name), await me(otherName)]).toEqual([200, 401]);
  });

  test("every response over https requires transport security", async () => {
    for (const path of ["/", "/nowhere", "/api/users/me", "/advertiser/dashboard", "/%", "/healthz"]) {
      expect((await send(path)).headers.get("strict-transport-security"), path).toBe(transportSecurity);
    }
  });
});

test("signing in over https sets the session cookie for this host over https only", async () => {
  const port = process.env.PORT;
  const direct = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    direct(String(input).replace(publicUrl, `http://127.0.0.1:${port}`), init),
  );
  const browser = standIn.browser();
  const url = await signInCallbackUrl(browser, "secure@example.org");
  const answer = await browser.call(callbackAction, url.pathname + url.search, { form: {} });
  const cookies = answer.headers.getSetCookie();
  expect(cookies.some((one) => /^__Host-portal_session=\w{60};/.test(one))).toBe(true);
  for (const one of cookies) expect(one).toMatch(hostCookie);
});
