import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

/** Opens analytics of two months, of which neither is complete, with the script of its chart. */
async function openChart(page: Page) {
  const today = new Date();
  const dayOf = (month: number, day: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + month, day)).toISOString().slice(0, 10);
  const dates = `range=custom&from=${dayOf(-2, 5)}&to=${dayOf(-1, 20)}`;
  await page.goto(`/advertiser/test-mode/analytics?${dates}&interval=month&metric=Impressions`);
  const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Impressions.* by month, / }) });
  await chart.locator(".chart-plot").hover({ position: { x: 200, y: 60 } });
  await expect(chart.locator(".chart-tooltip")).toBeVisible();
  await page.mouse.move(0, 0);
  return page.getByRole("figure").filter({ has: page.getByRole("img", { name: / by month, / }) });
}

test("a chart has no line of the figures that it showed before", async ({ page }) => {
  const chart = await openChart(page);
  const lines = chart.locator("path.chart-line-partial");
  await expect(lines).toHaveCount(2);
  const drawn = await lines.first().getAttribute("d");
  await page.getByRole("combobox", { name: "Channel" }).selectOption("dv360");
  await expect(lines.last()).not.toHaveAttribute("d", drawn ?? "");
  await expect(lines).toHaveCount(2);
});

test("the table of a chart has the columns of its metrics, and none of those that it had before", async ({ page }) => {
  const chart = await openChart(page);
  await chart.getByText("Show as table").click();
  const heads = chart.locator("thead th");
  await expect(heads).toHaveText(["Month", "Impressions", "Previous period", "Previous period"]);
  await page.getByRole("combobox", { name: "Second metric" }).selectOption("Clicks");
  await expect(page.getByRole("heading", { name: "Impressions and Clicks by month" })).toBeVisible();
  await expect(heads).toHaveText(["Month", "Impressions", "Clicks", "Previous period", "Impressions, previous period"]);
  for (const row of await chart.locator("tbody tr").all()) await expect(row.locator("th, td")).toHaveCount(5);
});
