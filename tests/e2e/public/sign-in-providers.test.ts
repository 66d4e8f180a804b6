import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("a newcomer signs in with the company's provider, by its button and by a work address", async ({ page }) => {
  await page.goto("/publisher/login");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await expect(page).toHaveURL(/\/register\?type=publisher$/);
  await page.context().clearCookies();

  await page.goto("/advertiser/login");
  await page.getByLabel("Work email").fill("jo@acme.example");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page).toHaveURL(/\/register\?type=advertiser$/);
});

test("a provider that cannot be reached is named, and the address stays", async ({ page }) => {
  await page.goto("/publisher/login");
  await page.getByLabel("Work email").fill("jo@absent.example");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("Absent can't be reached. Try again in a minute.");
  await expect(page.getByLabel("Work email")).toHaveValue("jo@absent.example");
  await page.getByLabel("Work email").fill("jo@acme.example");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page).toHaveURL(/\/register/);
});

test("Google signs in nobody whose company has a provider", async ({ page }) => {
  await page.goto("/publisher/login");
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByLabel("Use another email address").fill("lee@acme.example");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Authentication Failed");
  await expect(page.getByText("People with this email domain sign in with Acme")).toBeVisible();
});
