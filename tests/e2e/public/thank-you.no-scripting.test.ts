import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("a thank-you screen continues by itself without scripting", async ({ page }) => {
  await page.goto("/publisher/test-mode/thank-you/campaign-approved");
  await expect(page.getByText("You'll be automatically redirected in 10 seconds", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Stay on this page" })).toHaveCount(0);
  await page.waitForURL("/publisher/test-mode/analytics", { timeout: 15_000 });
});
