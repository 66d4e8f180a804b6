import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";

test("an advertiser filters and sorts its analytics, and exports them as a file", async ({ page }) => {
  await page.goto("/advertiser/test-mode/analytics");
  await page.getByRole("combobox", { name: "Date range" }).selectOption("90d");
  await page.getByRole("combobox", { name: "Channel" }).selectOption("dv360");
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect(page).toHaveURL(/range=90d.*channel=dv360/);
  // The address changes before the figures do.
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute("href", /range=90d.*channel=dv360/);
  await expect(page.getByRole("heading", { name: "Spend by day" })).toBeVisible();
  const table = page.getByRole("table", { name: "Performance by campaign" });
  const total = ((await table.locator("tfoot td").nth(5).textContent()) ?? "").trim();
  expect(total).toMatch(/^\$[\d,]+\.\d\d$/);
  await expect(page.locator(".tile", { hasText: "Spend" }).first()).toContainText(total);
  await table.getByRole("link", { name: "Impressions" }).click();
  await expect(table.getByRole("columnheader", { name: "Impressions" })).toHaveAttribute("aria-sort", "descending");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines.at(-1)).toContain(`,${Number(total.replace(/[$,]/g, ""))},`);
  expect(lines).toHaveLength((await table.locator("tbody tr").count()) + 2);
});
