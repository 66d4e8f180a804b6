import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

async function signIn(page: Page, email: string) {
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByLabel("Use another email address").fill(email);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

test("signing in ends at the page first requested", async ({ page }) => {
  await page.goto("/advertiser/campaigns?status=active");
  await expect(page).toHaveURL(/\/advertiser\/login\?redirectTo=/);
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByRole("button", { name: "advertiser@example.com" }).first().click();
  await expect(page).toHaveURL(/\/advertiser\/campaigns\?status=active$/);
});

test("declining at the provider shows a message", async ({ page }) => {
  await page.goto("/publisher/login");
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Authentication Failed");
  await expect(page.getByText("No authorization code provided")).toBeVisible();
  await page.getByRole("link", { name: "Return Home" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("a callback that this browser did not request fails", async ({ page }) => {
  await page.goto("/auth/callback?code=somebody-elses&state=unknown");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Authentication Failed");
  await expect(page.getByText("Authentication failed", { exact: true })).toBeVisible();
});

test("a new user registers, with an error on the way, and signs out", async ({ page }) => {
  await page.goto("/publisher/login");
  await signIn(page, `newcomer-${Date.now()}-${Math.random()}@example.org`);
  await expect(page).toHaveURL(/\/register\?type=publisher$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Complete Your Publisher Profile");
  await page.getByLabel("Website").fill("not a url");
  await page.getByRole("button", { name: "Complete Registration" }).click();
  await expect(page.getByText("Company name is required").first()).toBeVisible();
  await expect(page.getByLabel("Website")).toHaveValue("not a url");
  await page.getByLabel("Website").fill("https://pantry.example");
  await page.getByLabel("Company name").fill("Pantry & Co");
  await page.getByRole("button", { name: "Complete Registration" }).click();
  await expect(page).toHaveURL(/\/publisher\/dashboard$/);
  await page.goto("/advertiser");
  await expect(page.getByText("Access denied. This portal is for advertisers only.")).toBeVisible();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/publisher/dashboard");
  await expect(page).toHaveURL(/\/publisher\/login/);
});

test("an unapproved account is asked to wait", async ({ page }) => {
  await page.goto("/advertiser/login?redirectTo=/advertiser/dashboard");
  await signIn(page, "unapproved-advertiser@example.com");
  await expect(page.getByText("Your account is pending approval. Please contact support.")).toBeVisible();
});

test("a person whose account waits for approval can copy their data and have it erased", async ({ page }, {
  project,
}) => {
  // Both modes run at the same time, each in a portal of its own.
  const portal = project.name === "scripting" ? "advertiser" : "publisher";
  await page.goto(`/${portal}/login?redirectTo=/${portal}/dashboard`);
  await signIn(page, `unapproved-${portal}@example.com`);
  await page.getByRole("link", { name: "Your data" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Erase your data and close the account");
  const [copy] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download a copy" }).click(),
  ]);
  expect(copy.suggestedFilename()).toBe("your-data.json");
  await page.getByRole("button", { name: "Erase and close in 7 days" }).click();
  await expect(page.getByText("Requested. You can cancel it here.")).toBeVisible();
  await expect(page.getByText(/^Your data will be erased and the account closed on/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel the request" }).click();
  await expect(page.getByText("Canceled. Nothing is erased.")).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByText("Your account is pending approval. Please contact support.")).toBeVisible();
});
