import { expect } from "@playwright/test";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { fillProduct, uniqueName, wizardOfNewCampaign } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { signInToApi } from "#tests/support/browser/launched-campaigns.ts";
import { test } from "#tests/support/browser/test.ts";
import { expectError, expectNoError } from "#tests/support/forms/form-cases.ts";

test("an error of the server stays at its field until the field is changed", async ({ page, browser }) => {
  const sku = uniqueName("FORM");
  const publisher = await signInToApi(browser, "publisher@example.com");
  const product = { name: "The first one", sku, category: "Kettles", price: 49.9 };
  expect((await publisher.post("/api/products", { data: product })).status()).toBe(201);
  await fillProduct(page, "/publisher/test-mode", { name: "A second one", sku });
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByLabel("SKU")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("SKU")).toBeFocused();
  await page.getByLabel("SKU").press("Tab");
  await page.getByLabel("Price").fill("abc");
  await page.getByLabel("Price").press("Tab");
  await expectError(page, "Price", "Enter a price in US dollars, such as 12 or 12.50");
  await expect(page.getByLabel("SKU")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("SKU").fill(`${sku}-2`);
  await expectNoError(page, "SKU");
  await expect(page.getByLabel("Price")).toHaveAttribute("aria-invalid", "true");
});

test("a number field with a text that is no number keeps it with an error, and is not sent as empty", async ({
  page,
}) => {
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await page.goto("/publisher/test-mode/audiences/create?method=api");
  await page.getByLabel("Audience name").fill("Sailors");
  await page.locator("#segment").selectOption({ index: 1 });
  await page.getByLabel("CPM rate").pressSequentially("7e");
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expectError(page, "CPM rate", "Enter an amount in US dollars, such as 5 or 7.50");
  await expect(page.getByLabel("CPM rate")).toBeFocused();
  expect(posts).toEqual([]);
  await page.getByLabel("CPM rate").press("Backspace");
  await expectNoError(page, "CPM rate");
});

test("a step of the wizard whose number is none stays, because the server would take it as cleared", async ({
  page,
}) => {
  await page.goto(`${await wizardOfNewCampaign(page, uniqueName("Cap"))}?step=3`);
  await page.getByLabel("Frequency cap").fill("");
  await page.getByLabel("Frequency cap").pressSequentially("2e");
  await page.getByRole("button", { name: /^Next: / }).click();
  await expectError(page, "Frequency cap", "Enter a whole number from 1 to 10");
  await expect(page.getByLabel("Frequency cap")).toBeFocused();
  await expect(page).toHaveURL(/step=3/);
});

test("a submission before conform's script has arrived is checked once it has", async ({ page }) => {
  const release = await holdBack(page, "**/assets/conform-forms-*.js");
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await page.goto("/publisher/test-mode/products/create");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Product name").fill("Hammock");
  await page.getByRole("button", { name: "Add Product" }).click();
  await page.getByRole("button", { name: "Add Product" }).click();
  release();
  await expect(page.getByLabel("SKU")).toBeFocused();
  await expect(page.getByLabel("SKU")).toHaveAttribute("aria-invalid", "true");
  expect(posts).toEqual([]);
});

test("a form whose script cannot be loaded is sent, and shows the server's errors", async ({ page }) => {
  await page.route("**/assets/conform-forms-*.js", (route) => route.abort());
  await page.goto("/publisher/test-mode/products/create");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Product name").fill("Hammock");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("SKU")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("SKU")).toBeFocused();
  await expect(page.getByLabel("Product name")).toHaveValue("Hammock");
});

test("a button pressed while a field is invalid performs its action", async ({ page }) => {
  await page.goto("/publisher/test-mode/products/create");
  await page.getByLabel("Description").focus();
  for (const label of ["Product name", "SKU", "Category", "Price"]) {
    await page.getByLabel(label).focus();
  }
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/publisher\/test-mode\/products$/);
});

test("input from before hydration is kept and checked", async ({ page }) => {
  const release = await holdBack(page, "**/assets/*.js");
  await page.goto("/publisher/test-mode/products/create", { waitUntil: "commit" });
  await page.getByLabel("Product name").fill("Typed early");
  await page.getByLabel("Price").fill("abc");
  release();
  await awaitHydration(page);
  await expect(page.getByLabel("Product name")).toHaveValue("Typed early");
  await expect(page.getByLabel("Price")).toBeFocused();
  await page.getByLabel("Price").press("Tab");
  await expectError(page, "Price", "Enter a price in US dollars, such as 12 or 12.50");
  await expect(page.getByLabel("Product name")).toHaveValue("Typed early");
});

test("the forms script is loaded when a form is entered", async ({ page }) => {
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response.text());
  });
  const runsForms = async () => (await Promise.all(scripts)).some((script) => script.includes("__state__"));
  await page.goto("/publisher/test-mode/products/create", { waitUntil: "networkidle" });
  expect(await runsForms()).toBe(false);
  await page.getByLabel("Product name").focus();
  await expect.poll(runsForms).toBe(true);
});
