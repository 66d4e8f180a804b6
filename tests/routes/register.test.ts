import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { action as apiAction } from "#app/api/route.ts";
import * as verb from "#app/domain/accounts/register-account.server.ts";
import { action as callbackAction } from "#app/screens/public/auth-callback/route.tsx";
import { action, loader } from "#app/screens/public/register/route.tsx";
import { accounts, users } from "#db/schema/index.ts";
import { newMember } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { signInCallbackUrl, useStandIn } from "#tests/support/stand-in.ts";

const db = useDatabase();
const provider = useStandIn({ ACCOUNT_APPROVAL: "manual" });

let count = 0;
async function newcomer(login?: string) {
  count += 1;
  const browser = provider.browser();
  const email = `newcomer${count}@example.org`;
  const url = await signInCallbackUrl(browser, email, login);
  await browser.call(callbackAction, url.pathname + url.search, { form: {} });
  const account = async () => {
    const rows = await db()
      .select()
      .from(users)
      .leftJoin(accounts, eq(accounts.id, users.accountId))
      .where(eq(users.email, email));
    return rows[0]?.accounts ?? undefined;
  };
  return { browser, account };
}

describe("the registration page", () => {
  it("is for signed-in people and asks for the account type; others go to the landing page", async () => {
    const { browser } = await newcomer();
    expect(await provider.browser().call(loader, "/register?type=advertiser")).toMatchObject({
      status: 302,
      location: "/",
    });
    for (const path of ["/register", "/register?type=pending", "/register?type=operator"]) {
      expect(await browser.call(loader, path)).toMatchObject({ status: 302, location: "/" });
      expect(await browser.call(action, path, { form: { company_name: "x" } })).toMatchObject({ location: "/" });
    }
    expect((await browser.call(loader, "/register?type=publisher")).body).toMatchObject({ portal: "publisher" });
  });

  it("creates the account, pending approval where approval is manual, and redirects to the dashboard", async () => {
    const { browser, account } = await newcomer();
    const form = {
      user_type: "advertiser",
      company_name: " Nordwind Coffee ",
      website: "https://nordwind.example",
      business_vertical: "ecommerce",
      monthly_budget: "1200",
      status: "approved",
    };
    expect(await browser.call(action, "/register?type=advertiser", { form })).toMatchObject({
      status: 302,
      location: "/advertiser/dashboard",
    });
    expect(await account()).toMatchObject({
      type: "advertiser",
      status: "pending",
      companyName: "Nordwind Coffee",
      monthlyBudgetCents: 120_000,
    });
    expect(await browser.call(loader, "/register?type=publisher")).toMatchObject({
      status: 302,
      location: "/advertiser/dashboard",
    });
    for (const path of ["/register", "/register?type=operator"]) {
      expect(await browser.call(loader, path), path).toMatchObject({ status: 302, location: "/" });
    }
  });

  it("continues with the page first requested in the portal that was registered for, and nowhere else", async () => {
    const asked = {
      "/publisher/audiences?q=hikers": "/publisher/audiences?q=hikers",
      "/advertiser/campaigns": "/publisher/dashboard",
      "/publishers/audiences": "/publisher/dashboard",
      "/publisher": "/publisher/dashboard",
      "//example.org/publisher/audiences": "/publisher/dashboard",
      "https://example.org/publisher/audiences": "/publisher/dashboard",
      "/publisher/../advertiser/campaigns": "/publisher/dashboard",
    };
    for (const [redirectTo, location] of Object.entries(asked)) {
      const { browser } = await newcomer();
      const path = `/register?${new URLSearchParams({ type: "publisher", redirectTo })}`;
      const form = { user_type: "publisher", company_name: "Pantry" };
      expect(await browser.call(action, path, { form }), redirectTo).toMatchObject({ status: 302, location });
      // Registered now, whichever portal the link names.
      expect(await browser.call(loader, path), redirectTo).toMatchObject({ status: 302, location });
      const other = `/register?${new URLSearchParams({ type: "advertiser", redirectTo })}`;
      expect(await browser.call(loader, other), redirectTo).toMatchObject({ status: 302, location });
    }
  });

  it("continues with the page that led to the sign-in", async () => {
    const asked = {
      "/publisher/audiences?q=hikers": "/publisher/audiences?q=hikers",
      "/advertiser/campaigns": "/publisher/dashboard",
    };
    for (const [redirectTo, location] of Object.entries(asked)) {
      const { browser } = await newcomer(`/publisher/login?${new URLSearchParams({ redirectTo })}`);
      const form = { user_type: "publisher", company_name: "Pantry" };
      const path = "/register?type=publisher";
      expect(await browser.call(action, path, { form }), redirectTo).toMatchObject({ status: 302, location });
      expect(await browser.call(loader, path), redirectTo).toMatchObject({ status: 302, location });
    }
  });

  it("keeps the input and shows what is wrong", async () => {
    const { browser, account } = await newcomer();
    const form = { user_type: "publisher", company_name: "", website: "not a url", monthly_visitors: "-3" };
    expect(await browser.call(action, "/register?type=publisher", { form })).toMatchObject({
      status: 422,
      body: {
        initialValue: { website: "not a url", monthly_visitors: "-3" },
        error: {
          company_name: ["Company name is required"],
          website: ["Enter a URL, such as https://www.example.com"],
          monthly_visitors: ["Enter a whole number, 0 or more"],
        },
      },
    });
    expect(await account()).toBeUndefined();
  });

  it("shows Registration failed on an error, with the values kept", async () => {
    const { browser } = await newcomer();
    vi.spyOn(verb, "registerAccount").mockRejectedValue(new Error("broken"));
    const form = { user_type: "publisher", company_name: "Kept" };
    expect(await browser.call(action, "/register?type=publisher", { form })).toMatchObject({
      status: 500,
      body: { initialValue: { company_name: "Kept" }, error: { "": ["Registration failed"] } },
    });
  });

  it("rejects a body that is too large or not a form", async () => {
    const { browser } = await newcomer();
    const form = { user_type: "publisher", company_name: "x".repeat(70_000) };
    expect((await browser.call(action, "/register?type=publisher", { form })).status).toBe(413);
    expect((await browser.call(action, "/register?type=publisher", { json: {} })).status).toBe(415);
  });
});

describe("POST /api/users/register", () => {
  it("does the same, and returns the user", async () => {
    const { browser, account } = await newcomer();
    const json = {
      user_type: "publisher",
      company_name: "Pantry",
      monthly_visitors: 120_000,
      monthly_pageviews: null,
      status: "approved",
      user: { status: "approved" },
    };
    expect(await browser.call(apiAction, "/api/users/register", { json })).toMatchObject({
      status: 200,
      body: { success: true, user: { user_type: "publisher", status: "pending", company_name: "Pantry" } },
    });
    expect(await account()).toMatchObject({ status: "pending", monthlyVisitors: 120_000 });
    expect(await browser.call(apiAction, "/api/users/register", { json })).toMatchObject({
      status: 409,
      body: { error: { code: "already_registered" } },
    });
  });

  it("requires a session", async () => {
    await newMember("advertiser");
    const json = { user_type: "publisher", company_name: "Pantry" };
    expect((await provider.browser().call(apiAction, "/api/users/register", { json })).status).toBe(401);
  });
});
