import { expect, type Page } from "@playwright/test";
import {
  fillProduct,
  findProducts,
  newPageAs,
  signInByCalls,
  uniqueName,
} from "#tests/support/browser/browser-users.ts";
import { awaitHydrationAfterLoads, test } from "#tests/support/browser/test.ts";
import { openAsNew } from "#tests/support/forms/form-openers.ts";

const [first, second] = ["advertiser@example.com", "second-advertiser@example.com"];

/** What another tab of the page's browser does. */
const signInElsewhere = (page: Page, email: string) => signInByCalls(page.context().request, email);
const signOutElsewhere = (page: Page) => page.context().request.post("/logout", { form: {}, maxRedirects: 0 });

/** Loads the page's data again, as at the end of an upload. */
async function loadAgain(page: Page, company: string) {
  await page.evaluate(() => void Object(Reflect.get(window, "__remixRouter")).revalidate());
  await expect(page.getByLabel(`${company}: account`)).toBeVisible();
}

/** Presses the button of a form that is rejected because another person is signed in. */
async function pressRejected(page: Page, button: string | RegExp, signedIn: string) {
  const response = page.waitForResponse((one) => one.request().method() === "POST" && !/autosave/.test(one.url()));
  await page.getByRole("button", { name: button }).click();
  expect((await response).status()).toBe(412);
  await expect(page.getByRole("alert")).toContainText(`You are signed in as ${signedIn}`);
}

test("a form does nothing for a person who signed in in another tab, however often, and keeps its values", async ({
  browser,
}, { project }) => {
  const page = await newPageAs(browser, first);
  const name = uniqueName("A lantern of one's own");
  await fillProduct(page, "/advertiser", { name, sku: name });
  await signInElsewhere(page, second);
  if (project.name === "scripting") await loadAgain(page, "Brightside Coffee Roasters");
  for (const _ of ["once", "twice"]) {
    await pressRejected(page, "Add Product", second);
    await expect(page.getByLabel("Product name")).toHaveValue(name);
  }
  expect(await findProducts(page, name)).toHaveLength(0);
  await signInElsewhere(page, first);
  expect(await findProducts(page, name)).toHaveLength(0);
});

test("a page that the person who signed in leaves and opens again is theirs", async ({ browser }) => {
  const page = await newPageAs(browser, first);
  const name = uniqueName("A lantern for the other");
  await fillProduct(page, "/advertiser", { name: "Not sent", sku: name });
  await signInElsewhere(page, second);
  await pressRejected(page, "Add Product", second);
  await page.getByRole("link", { name: "Product Catalog" }).first().click();
  await page.getByRole("link", { name: "Add Product" }).first().click();
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("SKU").fill(name);
  await page.getByLabel("Category").fill("Kettles");
  await page.getByLabel("Price").fill("49.90");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page).not.toHaveURL(/create$/);
  expect(await findProducts(page, name)).toHaveLength(1);
});

test("an erasure is not requested for a person who signed in in another tab", async ({ browser }) => {
  const page = awaitHydrationAfterLoads(await (await browser.newContext()).newPage());
  await openAsNew(page, "advertiser", "/profile/close");
  // This person's account has open campaigns, so the test could not erase it either.
  await signInElsewhere(page, first);
  await pressRejected(page, /^Erase and close in/, first);
});

test("a form whose page loads its data again after a rejection is rejected again", async ({ browser }) => {
  const page = await newPageAs(browser, "publisher@example.com");
  const name = uniqueName("Stargazers");
  await page.goto("/publisher/audiences/create?method=api");
  await page.getByLabel("Audience name").fill(name);
  await page.locator("#segment").selectOption({ label: "High-value" });
  await signInElsewhere(page, "second-publisher@example.com");
  for (const _ of ["once", "twice"]) {
    await pressRejected(page, "Create Audience", "second-publisher@example.com");
    await expect(page.getByLabel("Audience name")).toHaveValue(name);
  }
  const { audiences } = await (await page.request.get("/api/audiences", { params: { q: name } })).json();
  expect(audiences).toEqual([]);
});

test("a step of a campaign keeps its values, though the other person has no such campaign", async ({ browser }, {
  project,
}) => {
  test.skip(project.name === "no-scripting", "Without scripting the other person's page replaces the form");
  const page = await newPageAs(browser, first);
  const name = uniqueName("A campaign of one's own");
  const data = { name, objective: "traffic" };
  const { campaign } = await (await page.request.post("/api/campaigns", { data })).json();
  await page.goto(`/advertiser/campaigns/${campaign.id}/edit?step=2`);
  await page.getByRole("radio", { name: "Display" }).check();
  await page.getByLabel("Landing page").fill("https://northwind-outdoors.example/own");
  await signInElsewhere(page, second);
  await pressRejected(page, "Next: Audience & Targeting", second);
  await expect(page.getByLabel("Landing page")).toHaveValue("https://northwind-outdoors.example/own");
});

test("files are not added to an audience for a person who signed in in another tab", async ({ browser }, {
  project,
}) => {
  const page = await newPageAs(browser, "publisher@example.com");
  const { audiences } = await (await page.request.get("/api/audiences", { params: { q: "Weekend hikers" } })).json();
  await page.goto(`/publisher/audiences/${audiences[0].id}/uploads`);
  const buffer = Buffer.from("Email\nnobody@example.com");
  await page.getByLabel("Customer files").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer });
  await signInElsewhere(page, "second-publisher@example.com");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const message = page.getByText(
    project.name === "scripting"
      ? "Someone else signed in in another tab. Sign in to your account again, then try again."
      : "This form belongs to another account, so nothing was changed.",
  );
  await expect(message).toBeVisible();
  // Data that is loaded again, which is the other person's, takes the place of the page and its message.
  await page.waitForTimeout(1_000);
  await expect(message).toBeVisible();
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
  await expect(notice.getByRole("alert")).toContainText("You are signed out, or signed in with another account.");
  await expect(page).toHaveURL(/products\/create$/);
  await expect(page.getByLabel("Product name")).toHaveValue(name);
  const tab = page.context().waitForEvent("page");
  await notice.getByRole("link", { name: "Sign in (opens in a new tab)" }).click();
  await expect(await tab).toHaveURL(/\/advertiser\/login$/);
  await signInElsewhere(page, first);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page).not.toHaveURL(/create$/);
  expect(await findProducts(page, name)).toHaveLength(1);
});

test("a form keeps its values when a person of another portal signed in in another tab", async ({ browser }, {
  project,
}) => {
  test.skip(project.name === "no-scripting", "Without scripting the page of a denial replaces the form");
  const page = await newPageAs(browser, first);
  const name = uniqueName("A tent for one");
  await fillProduct(page, "/advertiser", { name, sku: name });
  await signInElsewhere(page, "publisher@example.com");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.locator(".lost-request").getByRole("alert")).toContainText(
    "Sign in to your account in another tab, then try again. What you entered is still here.",
  );
  await expect(page.getByLabel("Product name")).toHaveValue(name);
});

test("a form of an account that is not approved leads to the page that says so", async ({ browser }) => {
  const page = await newPageAs(browser, first);
  const name = uniqueName("A cup for one");
  await fillProduct(page, "/advertiser", { name, sku: name });
  await signInElsewhere(page, "unapproved-advertiser@example.com");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("Your account is pending approval.")).toBeVisible();
  await expect(page.locator(".lost-request")).toHaveCount(0);
});
