import { expect } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { newPageAs } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";

test("a card is added at the provider's page, a top-up is confirmed, and a declined one says why", async ({ browser }, {
  project,
}) => {
  const page = await newPageAs(browser, "advertiser@example.com");
  const add = async (card: string) => {
    await page.goto("/advertiser/billing?tab=methods");
    await page.getByRole("button", { name: "Add payment method" }).click();
    await expect(page.getByRole("heading", { name: "Choose a test card" })).toBeVisible();
    if (project.name === "scripting") expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: card }).click();
    await expect(page.getByText(/•••• \d{4} added$/)).toBeVisible();
  };
  await add("Needs confirmation");
  await add("0002 Declined");

  const pay = async (amount: string, card: RegExp) => {
    await page.goto("/advertiser/billing/top-up");
    await page.getByRole("textbox", { name: "Amount" }).fill(amount);
    await page.getByRole("radio", { name: card }).first().check();
    await page.getByRole("button", { name: "Pay now" }).click();
  };
  await pay("9.99", /0002/);
  await expect(page.locator("#amount-error")).toHaveText("Enter an amount from $10 to $100,000");
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("9.99");
  await pay("40", /0002/);
  await expect(page.getByText("The card was declined.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("40");
  await pay("60.50", /3220/);
  await page.getByRole("button", { name: "Confirm payment" }).click();
  await expect(page.getByText("$60.50 added to your wallet")).toBeVisible();
  await expect(page.getByText("Wallet top-up, Visa •••• 0002").first()).toBeVisible();
});

test("adding a card returns to the page that needed it, also after canceling", async ({ browser }) => {
  const page = await newPageAs(browser, "advertiser@example.com");
  const form = "/advertiser/billing?tab=methods&from=here";
  for (const leave of [
    () => page.getByRole("link", { name: "Cancel" }).click(),
    () => page.getByRole("button", { name: /4242/ }).click(),
  ]) {
    await page.goto(form);
    await page.getByRole("button", { name: "Add payment method" }).click();
    await leave();
    await expect(page).toHaveURL(new RegExp(`${form.replace("?", "\\?")}$`));
  }
});
