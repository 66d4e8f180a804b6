import { expect, type Page } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/test.ts";

const base = "/advertiser/test-mode";

async function openPage(page: Page, path: string) {
  await page.goto(`${base}${path}`);
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

test("the search dialog finds as one types, moves by arrows, opens by Enter, and gives the focus back", async ({
  page,
}) => {
  await openPage(page, "/campaigns");
  await page.getByRole("link", { name: "Search campaigns, audiences…" }).focus();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox", { name: "Search" });
  await expect(field).toBeFocused();
  await expect(dialog.getByRole("option", { name: "Create campaign" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await focused(page)).toBe("Search campaigns, audiences…");

  await page.keyboard.press("/");
  await page.keyboard.type("ridgeline");
  const options = dialog.getByRole("option");
  await expect(dialog.getByRole("group", { name: "Campaigns" })).toBeVisible();
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await options.first().getAttribute("id")) ?? "");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page)).toEqual([]);
  }
  await page.keyboard.press("ArrowUp");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  const href = await options.nth(1).getAttribute("href");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(href ?? "");
  await expect(dialog).toBeHidden();
});

test("the search dialog says when nothing matches, and leads to the page when the connection is lost", async ({
  page,
}) => {
  await openPage(page, "/campaigns");
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await page.keyboard.type("nothing-like-this");
  await expect(dialog.getByRole("status")).toHaveText("No results");
  await page.route("**/search/results*", (route) => route.abort("internetdisconnected"));
  await dialog.getByRole("combobox").fill("ember");
  await expect(dialog.getByRole("status")).toContainText("Search is unavailable right now");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${base}/search?q=ember`);
});

test("single keys open pages and the sheet of shortcuts, never from a field, and can be turned off", async ({
  page,
}) => {
  await openPage(page, "/campaigns");
  // The second key counts for a moment only, which may pass between the two while the machine is busy.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await expect(page).toHaveURL(`${base}/products`, { timeout: 3_000 });
  }).toPass();
  await page.getByLabel("Search by name or SKU").fill("");
  await page.keyboard.type("c?/gd");
  await expect(page.getByLabel("Search by name or SKU")).toHaveValue("c?/gd");
  await expect(page).toHaveURL(`${base}/products`);

  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet.getByText("Create campaign")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Turn off single keys" }).click();
  await expect(sheet.getByText("Single-key shortcuts are off")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
  await expect(page).toHaveURL(`${base}/products`);
});

test("the bell opens the newest notifications, and Escape or a press outside closes them", async ({ page }) => {
  await page.goto("/publisher/test-mode/dashboard");
  const bell = page.getByRole("link", { name: /^Notifications/ });
  await bell.click();
  const popover = page.getByRole("dialog", { name: "Newest notifications" });
  await expect(popover).toBeFocused();
  await expect(popover.getByRole("listitem").first()).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(popover).toBeHidden();
  await expect(bell).toBeFocused();
  await bell.click();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(popover).toBeHidden();
  await bell.click();
  // The link is below the list, and moves when that is there.
  await expect(popover.getByRole("listitem").first()).toBeVisible();
  await popover.getByRole("link", { name: "All notifications" }).click();
  await expect(page).toHaveURL("/publisher/test-mode/notifications");
  await expect(popover).toBeHidden();
});

test("the account menu closes by Escape and by a press outside", async ({ page }) => {
  await openPage(page, "/campaigns");
  const menu = page.getByLabel("Northwind Outdoors: account");
  const profile = page.locator(".account-panel").getByRole("link", { name: "Profile" });
  await menu.click();
  await expect(profile).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(profile).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(profile).toBeHidden();
});
