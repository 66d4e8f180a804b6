import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

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
  await table.getByRole("link", { name: "Impressions" }).click();
  await expect(table.getByRole("columnheader", { name: "Impressions" })).toHaveAttribute("aria-sort", "descending");
  // Delivery of another hour may arrive between the page and the file; then both are read again.
  await expect(async () => {
    await page.reload();
    const total = ((await table.locator("tfoot td").nth(5).textContent()) ?? "").trim();
    expect(total).toMatch(/^\$[\d,]+\.\d\d$/);
    await expect(page.locator(".tile", { hasText: "Spend" }).first()).toContainText(total);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines.at(-1)).toContain(`,${Number(total.replace(/[$,]/g, ""))},`);
    expect(lines).toHaveLength((await table.locator("tbody tr").count()) + 2);
  }).toPass({ timeout: 60_000 });
});

for (const portal of ["advertiser", "publisher"] as const)
  test(`the ${portal}'s chart marks what happened to campaigns, and the page lists it with links`, async ({ page }) => {
    await page.goto(`/${portal}/test-mode/analytics?range=90d&interval=day`);
    const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /listed below$/ }) });
    const changes = page.getByRole("region", { name: "Campaign changes" });
    const summary = page.getByText(/^\d+ campaign changes$/);
    const count = Number.parseInt((await summary.textContent()) ?? "", 10);
    expect(count).toBeGreaterThan(2);
    await expect(chart.getByText("Campaign changes")).toBeVisible();
    await summary.click();
    await expect(
      changes
        .getByRole("listitem")
        .filter({ hasText: /launched$/ })
        .first(),
    ).toBeVisible();
    const days = await changes.getByRole("heading").count();
    await expect(chart.locator(".chart-plot .chart-mark")).toHaveCount(days);
    // Fewer and longer intervals have the same changes. Read again when another test has changed a campaign in between.
    await expect(async () => {
      await page.goto(`/${portal}/test-mode/analytics?range=90d&interval=day`);
      const now = (await summary.textContent()) ?? "";
      await page.getByRole("combobox", { name: "Interval" }).selectOption("month");
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await expect(page.getByRole("heading", { name: / by month$/ })).toBeVisible();
      await expect(summary).toHaveText(now, { timeout: 1_000 });
    }).toPass();
    // A click that lands before the page is hydrated is undone by the hydration.
    await expect(async () => {
      if (!(await changes.isVisible())) await summary.click();
      await expect(changes).toBeVisible({ timeout: 500 });
    }).toPass();
    const months = await changes.getByRole("heading").count();
    expect(months).toBeLessThan(days);
    await expect(chart.locator(".chart-plot .chart-mark")).toHaveCount(months);
    const link = changes.getByRole("link").first();
    const name = (await link.textContent()) ?? "";
    await link.click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  });
