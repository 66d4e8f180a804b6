import { expect, type Page } from "@playwright/test";
import { registerCompany } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";

async function addCard(page: Page) {
  await page.getByRole("button", { name: "Add payment method" }).click();
  await page.getByRole("button", { name: /4242/ }).click();
  await expect(page.getByText(/•••• 4242 added$/)).toBeVisible();
}

test("a top-up without a card returns by way of the card to the page that lacked the funds", async ({ page }) => {
  await registerCompany(page, "advertiser", "Detour Home");
  await page.goto("/advertiser/dashboard");
  await page.getByRole("link", { name: /To do:\s*Top up your wallet/ }).click();
  await addCard(page);
  await page.getByRole("link", { name: "$500", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("500");
  await page.getByRole("button", { name: "Pay now" }).click();
  await expect(page).toHaveURL("/advertiser/dashboard");
  await expect(page.getByText("$500.00 added to your wallet")).toBeVisible();
  await expect(page.getByRole("link", { name: /Done:\s*Top up your wallet/ })).toBeVisible();
});

test("a bank account, a plan and an integration each return to the page that needed them", async ({ page }) => {
  await registerCompany(page, "publisher", "Detour Goods");
  await page.goto("/publisher/dashboard");
  await page.getByRole("link", { name: /To do:\s*Add your bank account/ }).click();
  await page.getByRole("radio", { name: /6789/ }).check();
  await page.getByRole("button", { name: "Save account" }).click();
  await expect(page).toHaveURL("/publisher/dashboard");
  await expect(page.getByRole("link", { name: /Done:\s*Add your bank account/ })).toBeVisible();

  const create = "/publisher/audiences/create?method=direct";
  await page.goto(create);
  await page.getByRole("link", { name: "See plans" }).click();
  await page.getByRole("link", { name: "Upgrade to Enterprise" }).click();
  await addCard(page);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page).toHaveURL(create);
  await expect(page.getByText("Enterprise plan active")).toBeVisible();

  await page.getByRole("radio", { name: "Klaviyo" }).check();
  await page.getByLabel("Audience name").fill("Detour readers");
  await page.locator("#segment").selectOption({ label: "High-value" });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await page.getByRole("link", { name: "View audience and upload report" }).click();
  await expect(page).toHaveURL(/\/publisher\/audiences\/[0-9a-f-]{36}$/);
  const audience = page.url();
  await page.getByRole("link", { name: "Connect Klaviyo" }).click();
  await page.getByLabel("Private API key").fill("pk_good");
  await page.getByRole("button", { name: "Connect Klaviyo" }).click();
  await expect(page).toHaveURL(audience);
  await expect(page.getByRole("link", { name: "Choose a list" })).toBeVisible();
});
