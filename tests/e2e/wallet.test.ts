import { expect } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { newPageAs, registerCompany } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";
import { addCard } from "#tests/support/forms/form-openers.ts";

test("a card is added at the provider's page, a top-up is confirmed, and a declined one says why", async ({ browser }, {
  project,
}) => {
  const page = await newPageAs(browser, "advertiser@example.com");
  await page.goto("/advertiser/billing?tab=methods");
  await page.getByRole("button", { name: "Add payment method" }).click();
  await expect(page.getByRole("heading", { name: "Choose a test card" })).toBeVisible();
  if (project.name === "scripting") expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Needs confirmation" }).click();
  await expect(page.getByText(/•••• \d{4} added$/)).toBeVisible();
  await addCard(page, "tok_declined");

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
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Pay now" }) });
  await expect(form.getByRole("alert")).toHaveText(/The card was declined\. Use another payment method/);
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("The card was declined.");
  if (project.name === "scripting") await expect(form.getByRole("alert").locator("..")).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("40");
  await expect(page.getByRole("radio", { name: /0002/ }).first()).toBeChecked();
  await pay("60.50", /3220/);
  await expect(page.getByRole("button", { name: "Confirm payment" })).toBeVisible();
  // The bank's page was left: the list of transactions leads back to it.
  await page.goto("/advertiser/billing");
  await page.getByRole("link", { name: "Wallet top-up, Visa •••• 3220" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm your top-up");
  await page.getByRole("link", { name: "Confirm payment" }).click();
  await page.getByRole("button", { name: "Confirm payment" }).click();
  await expect(page.getByText("$60.50 added to your wallet")).toBeVisible();
  await expect(page.getByText("Wallet top-up, Visa •••• 0002").first()).toBeVisible();
});

test("a usual amount keeps the chosen card, and is marked while it is the one in the field", async ({ page }, {
  project,
}) => {
  await registerCompany(page, "advertiser", "Usual Amounts");
  for (const token of ["tok_visa", "tok_mastercard"]) await addCard(page, token);
  await page.goto("/advertiser/billing/top-up");
  const [amount, cards] = [page.getByRole("textbox", { name: "Amount" }), page.getByRole("radio")];
  const other = cards.last();
  await expect(other).not.toBeChecked();
  if (project.name === "no-scripting") await page.goto(`${page.url()}?method=${await other.getAttribute("value")}`);
  else await other.check();
  await page.getByRole("link", { name: "$1,000", exact: true }).click();
  await expect(amount).toHaveValue("1000");
  await expect(other).toBeChecked();
  const current = page.getByRole("navigation", { name: "Quick amounts" }).locator("[aria-current=true]");
  await expect(current).toHaveText("$1,000");
  if (project.name === "no-scripting") return;
  await amount.fill("1001");
  await expect(current).toHaveCount(0);
  await page.getByRole("link", { name: "$500", exact: true }).click();
  await expect(current).toHaveText("$500");
  await expect(other).toBeChecked();
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
