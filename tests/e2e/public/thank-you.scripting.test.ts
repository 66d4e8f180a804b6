import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

const created = "/advertiser/test-mode/thank-you/campaign-created";
const promise = "You'll be automatically redirected in 10 seconds";

test("a thank-you screen continues to its first action after 10 seconds, within test mode", async ({ page }) => {
  await page.clock.install();
  await page.goto(created);
  await expect(page.getByText(promise, { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Stay on this page" })).toBeVisible();
  await page.clock.runFor(9_000);
  await expect(page).toHaveURL(created);
  // On a busy machine the page's script may have begun to count only now.
  const goOn = async () => {
    await page.clock.runFor(500);
    return new URL(page.url()).pathname;
  };
  await expect.poll(goOn).toBe("/advertiser/test-mode/campaigns");
});

test("one can stay on a thank-you screen", async ({ page }) => {
  await page.clock.install();
  await page.goto(created);
  await page.getByRole("button", { name: "Stay on this page" }).click();
  await expect(page.getByRole("status")).toHaveText("Redirect canceled. You'll stay on this page.");
  await page.clock.runFor(30_000);
  await expect(page).toHaveURL(created);
  await page.getByRole("link", { name: "Back to Dashboard" }).click();
  await expect(page).toHaveURL("/advertiser/test-mode/dashboard");
});

test("the screen for an unknown kind does not redirect", async ({ page }) => {
  await page.clock.install();
  await page.goto("/thank-you/nonsense");
  await expect(page.getByRole("heading", { level: 1, name: "Success" })).toBeVisible();
  await expect(page.getByText(promise)).toHaveCount(0);
  await page.clock.runFor(30_000);
  await expect(page).toHaveURL("/thank-you/nonsense");
});
