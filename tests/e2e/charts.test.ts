import { expect, test } from "@playwright/test";

test("a chart has a table of its figures, and says them under the pointer where there is scripting", async ({
  page,
  javaScriptEnabled = true,
}) => {
  await page.goto("/advertiser/test-mode/dashboard");
  const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Spend by day, / }) });
  await chart.getByText("Show as table").click();
  const rows = chart.getByRole("table", { name: "Spend by day" }).getByRole("row");
  await expect(rows).toHaveCount(31);
  const [day = "", spent = ""] = await rows.nth(16).locator("th, td").allTextContents();
  expect(spent).toMatch(/^\$[\d,]+\.\d\d$/);
  if (javaScriptEnabled) {
    const plot = chart.locator(".chart-plot");
    const box = await plot.boundingBox();
    // The sixteenth of thirty days.
    await plot.hover({ position: { x: ((box?.width ?? 0) * 15) / 29, y: 60 } });
    await expect(chart.locator(".chart-tip")).toContainText(`${day}This period${spent}`);
  }
  await page.getByRole("link", { name: /^Active Campaigns/ }).click();
  await expect(page).toHaveURL("/advertiser/test-mode/campaigns?status=active");
});
