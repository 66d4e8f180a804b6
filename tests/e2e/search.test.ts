import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

const base = "/advertiser/test-mode";

/** Submits the search of the top bar: with scripting the dialog's, else the field's. */
async function searchFor(page: Page, q: string, scripting: boolean | undefined) {
  if (scripting === false) {
    await page.getByRole("banner").getByRole("searchbox", { name: "Search" }).fill(q);
    await page.keyboard.press("Enter");
  } else {
    await page.goto(`${base}/search?${new URLSearchParams({ q })}`);
  }
}

test("a search shows rows, pages and actions by kind, and leads to them and to lists of all that match", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto(`${base}/dashboard`);
  await searchFor(page, "ridgeline", javaScriptEnabled);
  await expect(page.getByRole("heading", { level: 1, name: "Search: ridgeline" })).toBeVisible();
  await page.getByRole("link", { name: /^(All campaigns that match|Show all \d+ campaigns)$/ }).click();
  await expect(page).toHaveURL(`${base}/campaigns?q=ridgeline`);
  await page.goto(`${base}/search?q=wallet`);
  await page.getByRole("main").getByRole("link", { name: "Top up" }).click();
  await expect(page).toHaveURL(`${base}/billing/top-up`);
  await page.goto(`${base}/search?q=nothing-like-this`);
  await expect(page.getByText("Nothing matches “nothing-like-this”")).toBeVisible();
});

test("the account menu leads to profile and help, changes the theme for good, and out", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${base}/campaigns?status=active`);
  const menu = page.getByLabel("Northwind Outdoors: account");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await menu.click();
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page).toHaveURL(`${base}/campaigns?status=active`);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const dark = await ground();
  expect(dark).not.toBe(light);
  await menu.click();
  await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name: "Help", exact: true }).and(page.locator(".account-panel a")).click();
  await expect(page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
  expect(await ground()).toBe(dark);
  await menu.click();
  await page.getByRole("button", { name: "System" }).click();
  await expect(page.locator("html")).not.toHaveAttribute("data-theme");
  expect(await ground()).toBe(light);
});

test("the help page turns single-key shortcuts off and on", async ({ page }) => {
  await page.goto(`${base}/help`);
  await page.getByRole("button", { name: "Turn off single keys" }).click();
  await expect(page.getByText("Single-key shortcuts are off in this browser.")).toBeVisible();
  await page.getByRole("button", { name: "Turn on single keys" }).click();
  await expect(page.getByText("Single-key shortcuts are on in this browser.")).toBeVisible();
});
