import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

const companies = {
  "advertiser@example.com": "Northwind Outdoors",
  "publisher@example.com": "Harbor Goods",
  "second-advertiser@example.com": "Brightside Coffee Roasters",
  "second-publisher@example.com": "Fern & Field Market",
};

for (const [email, company] of Object.entries(companies)) {
  test(`${email} signs in to the dashboard of ${company}, which shows its data, and signs out`, async ({ page }) => {
    const portal = email.includes("publisher") ? "publisher" : "advertiser";
    await page.goto(`/${portal}/login?redirectTo=/${portal}/dashboard`);
    await page.getByRole("button", { name: "Continue with Google" }).click();
    await page.getByRole("button", { name: email, exact: false }).first().click();
    await expect(page).toHaveURL(new RegExp(`/${portal}/dashboard$`));
    await expect(page.getByLabel(`${company}: account`)).toBeVisible();
    await expect(page.locator("main")).not.toContainText("No campaigns yet");
    await page.goto("/");
    await expect(page.getByText(email).first()).toBeVisible();
    await page.getByRole("button", { name: "Logout" }).first().click();
    await expect(page.getByRole("button", { name: "Logout" })).toHaveCount(0);
    const dashboard = await page.request.get(`/${portal}/dashboard`, { maxRedirects: 0 });
    expect(dashboard.headers().location).toMatch(new RegExp(`^/${portal}/login`));
  });
}
