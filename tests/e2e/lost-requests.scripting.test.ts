import { expect, type Page, type Route, test } from "@playwright/test";
import { findViolations } from "#tests/support/axe.ts";
import { asPerson, uniqueName } from "#tests/support/browser-actors.ts";

const typed = "A kettle for the long way";

/** What comes of each request for data with this method, in place of the server's answer. */
async function answerWith(page: Page, method: "GET" | "POST", answer: (route: Route) => Promise<void>) {
  await page.route("**/*.data*", (route) => (route.request().method() === method ? answer(route) : route.fallback()));
}

const lost = (route: Route) => route.abort("internetdisconnected");
const busy = (route: Route) =>
  route.fulfill({ status: 503, headers: { "Retry-After": "2" }, contentType: "text/html", body: "<h1>busy</h1>" });

async function fillProduct(page: Page, name: string) {
  await page.goto("/advertiser/products/create");
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("SKU").fill(name);
  await page.getByLabel("Category").fill("Kettles");
  await page.getByLabel("Price").fill("49.90");
}

test("a form that is not sent stays with its values, and sending it again makes one product", async ({ browser }) => {
  const page = await asPerson(browser, "advertiser@example.com");
  const name = uniqueName(typed);
  await fillProduct(page, name);

  await answerWith(page, "POST", lost);
  await page.getByRole("button", { name: "Add Product" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "What you entered is still here" });
  await expect(notice).toBeVisible();
  await expect(page.getByLabel("Product name")).toHaveValue(name);
  expect(await findViolations(page)).toEqual([]);

  // The server takes it, and its answer is lost.
  await page.unroute("**/*.data*");
  await answerWith(page, "POST", async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  const failed = page.waitForEvent("requestfailed");
  await page.getByRole("button", { name: "Add Product" }).click();
  await failed;
  await expect(page.getByText("No answer from the server")).toBeVisible();
  await expect(page.getByLabel("Product name")).toHaveValue(name);

  await page.unroute("**/*.data*");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page).not.toHaveURL(/create$/);
  await expect(notice).toBeHidden();
  await page.goto(`/advertiser/products?q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
});

test("a server that is busy says so over the form, and an error of ours names its request", async ({ browser }) => {
  const page = await asPerson(browser, "advertiser@example.com");
  const name = uniqueName(typed);
  await fillProduct(page, name);
  await answerWith(page, "POST", busy);
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("Try again in 2 seconds")).toBeVisible();
  await expect(page.getByLabel("SKU")).toHaveValue(name);
  await page.unroute("**/*.data*");
  await answerWith(page, "POST", (route) =>
    route.fulfill({ status: 500, headers: { "X-Request-Id": "the-request" }, contentType: "text/html", body: "no" }),
  );
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("name request the-request")).toBeVisible();
  await expect(page.getByLabel("SKU")).toHaveValue(name);
});

test("a link that cannot be followed leaves the screen as it is, and can be followed later", async ({ browser }) => {
  const page = await asPerson(browser, "advertiser@example.com");
  await fillProduct(page, typed);
  await answerWith(page, "GET", lost);
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /Campaigns/ })
    .first()
    .click();
  await expect(page.getByText("Not loaded")).toBeVisible();
  await expect(page).toHaveURL(/products\/create$/);
  await expect(page.getByLabel("SKU")).toHaveValue(typed);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("Not loaded")).toBeHidden();
  await page.unroute("**/*.data*");
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /Campaigns/ })
    .first()
    .click();
  await expect(page).toHaveURL(/advertiser\/campaigns$/);
});

test("what is done and cannot be shown is said to be done", async ({ browser }) => {
  const page = await asPerson(browser, "advertiser@example.com");
  const name = uniqueName(typed);
  await fillProduct(page, name);
  await answerWith(page, "GET", lost);
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("Done, and not shown yet")).toBeVisible();
  await page.unroute("**/*.data*");
  await page.goto(`/advertiser/products?q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
});
