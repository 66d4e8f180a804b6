import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("a store is connected, synced, changed, synced again and disconnected", async ({ page }, { project }) => {
  // Each mode has a catalog of its own: both run against one server, and there is one shop.
  const base = `/${project.name === "scripting" ? "advertiser" : "publisher"}/test-mode/products`;
  await page.goto(`${base}/upload`);
  await page.getByRole("link", { name: "Connect" }).first().click();
  await page.getByLabel("Store URL").fill(process.env.E2E_SHOP ?? "");
  await page.getByLabel("Admin API access token").fill("shpat_wrong");
  await page.getByRole("button", { name: "Connect Shopify" }).click();
  await expect(page.getByRole("alert")).toContainText("The Shopify store rejected the credentials");
  await page.getByLabel("Admin API access token").fill("shpat_good");
  await page.getByRole("button", { name: "Connect Shopify" }).click();
  await expect(page.getByText("Store connected. Importing products now.")).toBeVisible();
  await expect(page.getByText("2 new, 0 updated, 0 unchanged, 1 rejected")).toBeVisible();

  await page.getByLabel("Category for products without one").fill("Hats");
  await page.getByLabel("Sync schedule").selectOption("Every week");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Store settings saved")).toBeVisible();
  await page.getByRole("button", { name: "Sync now" }).click();
  await expect(page.getByText("1 new, 0 updated, 2 unchanged")).toBeVisible();
  await page.getByRole("link", { name: "View report" }).click();
  await expect(page.getByText("0 SKUs generated, 1 category filled in.")).toBeVisible();
  await page.goto(`${base}?q=STORM-2`);
  await expect(page.getByRole("row").filter({ hasText: "STORM-2" })).toContainText("Hats");

  await page.goto(`${base}/upload`);
  await page.getByRole("listitem").filter({ hasText: "Connected" }).getByRole("link").click();
  await page.getByRole("link", { name: "Disconnect" }).click();
  await expect(page.getByRole("heading", { name: "Disconnect Sahra & Beyond?" })).toBeVisible();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("Sahra & Beyond disconnected")).toBeVisible();
});
