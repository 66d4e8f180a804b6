import { expect, type Page } from "@playwright/test";
import { fillProduct, newPageAs, signInByCalls, uniqueName } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";

const [first, second] = ["advertiser@example.com", "second-advertiser@example.com"];

/** What another tab of the page's browser does. */
const signInElsewhere = (page: Page, email: string) => signInByCalls(page.context().request, email);
const signOutElsewhere = (page: Page) => page.context().request.post("/logout", { form: {}, maxRedirects: 0 });

async function expectProduct(page: Page, name: string, count: number) {
  await page.goto(`/advertiser/products?q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(count);
}

test("a form does nothing for a person who signed in in another tab, and keeps its values", async ({ browser }) => {
  const page = await newPageAs(browser, first);
  const name = uniqueName("A lantern of one's own");
  await fillProduct(page, "/advertiser", { name, sku: name });
  await signInElsewhere(page, second);
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("alert")).toContainText(`You are now signed in as ${second}`);
  await expect(page.getByLabel("Product name")).toHaveValue(name);
  await expectProduct(page, name, 0);
  await signInElsewhere(page, first);
  await expectProduct(page, name, 0);
});

test("a form keeps its values when another tab signed out, and is sent after the next sign-in", async ({ browser }, {
  project,
}) => {
  test.skip(project.name === "no-scripting", "A page without scripting has no form left beside the sign-in");
  const page = await newPageAs(browser, first);
  const name = uniqueName("A stove for two");
  await fillProduct(page, "/advertiser", { name, sku: name });
  await signOutElsewhere(page);
  await page.getByRole("button", { name: "Add Product" }).click();
  const notice = page.locator(".lost-request");
  await expect(notice.getByRole("alert")).toContainText("Your sign-in has changed");
  await expect(page).toHaveURL(/products\/create$/);
  await expect(page.getByLabel("Product name")).toHaveValue(name);
  await signInElsewhere(page, first);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page).not.toHaveURL(/create$/);
  await expectProduct(page, name, 1);
});

test("a form keeps its values when a person without access signed in in another tab", async ({ browser }, {
  project,
}) => {
  test.skip(project.name === "no-scripting", "Without scripting the page of a denial replaces the form");
  const page = await newPageAs(browser, first);
  const name = uniqueName("A tent for one");
  await fillProduct(page, "/advertiser", { name, sku: name });
  await signInElsewhere(page, "publisher@example.com");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.locator(".lost-request").getByRole("alert")).toContainText("Sign in as before in another tab");
  await expect(page.getByLabel("Product name")).toHaveValue(name);
});
