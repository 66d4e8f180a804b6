import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

const base = "/publisher/test-mode";
const notice = "TEST MODE: You're viewing the publisher portal in development mode.";

async function top(page: Page, selector: string) {
  return (await page.locator(selector).boundingBox())?.y;
}

test("the test-mode banner can be dismissed, and the page stays", async ({ page }) => {
  await page.goto(`${base}/campaigns?filter=active`);
  await expect(page.getByText(notice, { exact: true })).toBeVisible();
  expect(await top(page, ".sidebar")).toBe(await top(page, ".topbar"));
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText(notice)).toHaveCount(0);
  await expect(page).toHaveURL(`${base}/campaigns?filter=active`);
  expect(await top(page, ".sidebar")).toBe(0);
  expect(await top(page, ".topbar")).toBe(0);
  await page.getByRole("link", { name: "Campaign Approval" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Campaign Approval" })).toBeVisible();
  await expect(page.getByText(notice)).toHaveCount(0);
});

test("the sidebar marks the current page, and counts pending reviews", async ({ page }) => {
  await page.goto(base);
  const pages = page.getByRole("navigation", { name: "Portal" });
  await expect(pages.getByRole("link", { name: "Dashboard" })).toHaveAttribute("aria-current", "page");
  const approval = pages.getByRole("link", { name: /^Campaign Approval \d+ campaigns? to review$/ });
  await expect(approval).toHaveAttribute("href", `${base}/approval`);
  await pages.getByRole("link", { name: "Manage Campaigns" }).click();
  await expect(page).toHaveURL(`${base}/campaigns`);
  await expect(pages.locator("[aria-current]")).toHaveText("Manage Campaigns");
  await page.getByRole("link", { name: "Switch Portal" }).click();
  await expect(page).toHaveURL("/");
});

test("on a phone the menu opens, navigates and closes", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(base);
  const pages = page.getByRole("navigation", { name: "Portal" });
  await expect(pages).toBeHidden();
  await page.getByLabel("Menu").click();
  await pages.getByRole("link", { name: "Manage Campaigns" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Campaign Management" })).toBeVisible();
  await expect(pages).toBeHidden();
});

test("the keyboard can skip to the content", async ({ page }) => {
  await page.goto(base);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inPage = await page.evaluate(() => document.activeElement?.closest("main") !== null);
  expect(inPage).toBe(true);
});

test("an unknown URL says so and links home", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "Return Home" }).click();
  await expect(page).toHaveURL("/");
});
