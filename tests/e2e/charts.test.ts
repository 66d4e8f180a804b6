import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("a chart has a table of its figures, and shows them under the pointer with scripting", async ({ page }, {
  project,
}) => {
  await page.goto("/advertiser/test-mode/dashboard");
  const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Spend by day, / }) });
  await chart.getByText("Show as table").click();
  const rows = chart.getByRole("table", { name: "Spend by day" }).getByRole("row");
  await expect(rows).toHaveCount(31);
  const [day = "", spent = ""] = await rows.nth(16).locator("th, td").allTextContents();
  expect(spent).toMatch(/^\$[\d,]+\.\d\d$/);
  if (project.name === "scripting") {
    const plot = chart.locator(".chart-plot");
    const box = await plot.boundingBox();
    const width = box?.width ?? 0;
    // Until the page is hydrated, no script receives the pointer's events.
    await expect(async () => {
      await plot.hover({ position: { x: width / 2, y: 20 } });
      // The sixteenth of thirty days.
      await plot.hover({ position: { x: (width * 15) / 29, y: 60 } });
      await expect(chart.locator(".chart-tooltip")).toContainText(`${day}This period${spent}`, { timeout: 500 });
    }).toPass();
  }
  await page.getByRole("link", { name: /^Active Campaigns/ }).click();
  await expect(page).toHaveURL("/advertiser/test-mode/campaigns?status=active");
});
