import { expect, it } from "vitest";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { loader as authorize } from "#app/screens/dev/google/authorize/route.tsx";
import { action as token } from "#app/screens/dev/google/token/route.ts";
import { loader as userinfo } from "#app/screens/dev/google/userinfo/route.ts";
import { loader as mailbox } from "#app/screens/dev/mailbox/route.tsx";
import { action as login } from "#app/screens/public/login/route.tsx";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";

/** A server with the real Google over HTTPS: no stand-in, no test mode, secure cookies. */
useDatabase();
const provider = useStandIn({
  GOOGLE_CLIENT_ID: "the-client",
  GOOGLE_CLIENT_SECRET: "the-secret",
  PUBLIC_URL: "https://ads.example.com",
  RATE_LIMITS: "on",
});

it.each(["advertiser", "publisher"] as const)("has no test mode of the %s portal", async (portal) => {
  const enter = provider
    .browser()
    .call(
      async ({ request, context }) => requirePortalAccess(request, portal, context),
      `/${portal}/test-mode/dashboard`,
    );
  expect((await enter).status).toBe(404);
});

it("has no stand-in, and shows the emails to nobody", async () => {
  const browser = provider.browser();
  expect((await browser.call(mailbox, "/dev/mailbox")).status).toBe(404);
  expect((await browser.call(authorize, "/dev/google/authorize?login_hint=a@example.org")).status).toBe(404);
  expect((await browser.call(token, "/dev/google/token", { form: {} })).status).toBe(404);
  expect((await browser.call(userinfo, "/dev/google/userinfo")).status).toBe(404);
});

it("redirects to Google with a callback on PUBLIC_URL, and a cookie for this host over https only", async () => {
  const response = await provider.browser().call(login, "http://localhost:1234/advertiser/login", { form: {} });
  const url = new URL(response.location ?? "");
  expect(url.origin + url.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
  expect(url.searchParams.get("redirect_uri")).toBe("https://ads.example.com/auth/callback");
  expect(response.headers.getSetCookie().join()).toMatch(
    /^__Host-portal_sign_in=\w{60}\.[\w%]{43,}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

it("allows an IP address to start ten sign-ins in three minutes, and another its own ten", async () => {
  const browser = provider.browser();
  const begin = (address: string) => browser.call(login, "/advertiser/login", { form: {}, address });
  for (let count = 0; count < 10; count += 1) expect((await begin("198.51.100.7")).status).toBe(302);
  const rejected = await begin("198.51.100.7");
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await begin("198.51.100.8")).status).toBe(302);
});
