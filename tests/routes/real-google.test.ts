import { expect, it } from "vitest";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { loader as authorize } from "#app/screens/dev/google-authorize.tsx";
import { action as token } from "#app/screens/dev/google-token.ts";
import { loader as userinfo } from "#app/screens/dev/google-userinfo.ts";
import { loader as mailbox } from "#app/screens/dev/mailbox.tsx";
import { action as login } from "#app/screens/public/login.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";

/** A server with the real Google on https: no stand-in, no test mode, cookies that only https carries. */
useDatabase();
const standIn = useStandIn({
  GOOGLE_CLIENT_ID: "the-client",
  GOOGLE_CLIENT_SECRET: "the-secret",
  PUBLIC_URL: "https://ads.example.com",
  RATE_LIMITS: "on",
});

it.each(["advertiser", "publisher"] as const)("has no test mode of the %s portal", async (portal) => {
  const enter = standIn
    .browser()
    .call(async ({ request, context }) => enterPortal(request, portal, context), `/${portal}/test-mode/dashboard`);
  expect((await enter).status).toBe(404);
});

it("has no stand-in, and shows nobody the mails", async () => {
  const browser = standIn.browser();
  expect((await browser.call(mailbox, "/dev/mailbox")).status).toBe(404);
  expect((await browser.call(authorize, "/dev/google/authorize?login_hint=a@example.org")).status).toBe(404);
  expect((await browser.call(token, "/dev/google/token", { form: {} })).status).toBe(404);
  expect((await browser.call(userinfo, "/dev/google/userinfo")).status).toBe(404);
});

it("sends to Google with the way back to PUBLIC_URL, and a cookie for this host on https alone", async () => {
  const answer = await standIn.browser().call(login, "http://localhost:1234/advertiser/login", { form: {} });
  const url = new URL(answer.location ?? "");
  expect(url.origin + url.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
  expect(url.searchParams.get("redirect_uri")).toBe("https://ads.example.com/auth/callback");
  expect(answer.headers.getSetCookie().join()).toMatch(
    /^__Host-portal_sign_in=\w{60}\.[\w%]{43,}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

it("lets an address begin ten sign-ins in three minutes, and another address its own ten", async () => {
  const browser = standIn.browser();
  const begin = (address: string) => browser.call(login, "/advertiser/login", { form: {}, address });
  for (let count = 0; count < 10; count += 1) expect((await begin("198.51.100.7")).status).toBe(302);
  const refused = await begin("198.51.100.7");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await begin("198.51.100.8")).status).toBe(302);
});
