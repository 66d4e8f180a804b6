import { type Browser, expect, type Route } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { fillProduct, findProducts, newPageAs, uniqueName } from "#tests/support/browser/browser-users.ts";
import { loseScripts } from "#tests/support/browser/lose-scripts.ts";
import { test } from "#tests/support/browser/test.ts";
import { busy, interceptWith, lost } from "#tests/support/forms/lost-request.ts";

/** An advertiser's browser with the form for a new product filled in, and the product's name, which is its SKU too. */
async function openFilledForm(browser: Browser) {
  const page = await newPageAs(browser, "advertiser@example.com");
  const name = uniqueName("A kettle for the long way");
  await fillProduct(page, "/advertiser", { name, sku: name });
  return { page, name };
}

test("a form that is lost or rejected keeps its values, and sending it again creates one product", async ({
  browser,
}) => {
  const { page, name } = await openFilledForm(browser);
  const send = () => page.getByRole("button", { name: "Add Product" }).click();
  const expectValues = async () => {
    await expect(page.getByLabel("Product name")).toHaveValue(name);
    await expect(page.getByLabel("SKU")).toHaveValue(name);
  };

  await test.step("without a connection its notice says so", async () => {
    await interceptWith(page, "POST", lost);
    await send();
    await expect(page.getByRole("alert").filter({ hasText: "What you entered is still here" })).toBeVisible();
    await expectValues();
    expect(await findViolations(page)).toEqual([]);
    await page.unroute("**/*.data*");
  });

  await test.step("a busy server's notice says when to try again, and nothing is sent by itself", async () => {
    let requests = 0;
    await interceptWith(page, "POST", (route) => {
      requests += 1;
      return busy(route);
    });
    await send();
    await expect(page.getByText("Try again in 2 seconds")).toBeVisible();
    await page.waitForTimeout(3_500);
    expect(requests).toBe(1);
    await expectValues();
    await page.unroute("**/*.data*");
  });

  await test.step("an application error shows its request ID", async () => {
    await interceptWith(page, "POST", (route) =>
      route.fulfill({ status: 500, headers: { "X-Request-Id": "the-request" }, contentType: "text/html", body: "no" }),
    );
    await send();
    await expect(page.getByText("contact support with request ID the-request")).toBeVisible();
    await expectValues();
    await page.unroute("**/*.data*");
  });

  await test.step("the server handles the request, and its response is lost", async () => {
    await interceptWith(page, "POST", async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort("connectionreset");
    });
    const failed = page.waitForEvent("requestfailed");
    await send();
    await failed;
    await expect(page.getByText("The server did not respond")).toBeVisible();
    await expectValues();
    await page.unroute("**/*.data*");
  });

  await test.step("an error screen of the server in place of its response leaves it unchanged", async () => {
    await interceptWith(page, "POST", async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "retry-after": "3", "x-error-screen": "1" };
      await route.fulfill({ response, status: 429, headers });
    });
    await send();
    await expect(page.getByText("Try again in 3 seconds")).toBeVisible();
    await expectValues();
    await page.unroute("**/*.data*");
  });

  await send();
  await expect(page).not.toHaveURL(/create$/);
  await expect(page.locator(".lost-request")).toHaveCount(0);
  expect(await findProducts(page, name)).toHaveLength(1);
});

test("a link that fails, or that a busy server rejects, leaves the screen unchanged, and works later", async ({
  browser,
}) => {
  const { page, name } = await openFilledForm(browser);
  const link = page.getByRole("navigation").getByRole("link", { name: "Campaigns" }).first();
  let requests: number[] = [];
  const follow = async (handler: (route: Route) => Promise<void>) => {
    requests = [];
    await page.unroute("**/*.data*");
    await interceptWith(page, "GET", (route) => {
      requests.push(Date.now());
      return handler(route);
    });
    await link.click();
  };
  const expectUnchanged = async (count: number) => {
    expect(requests).toHaveLength(count);
    await expect(page).toHaveURL(/products\/create$/);
    await expect(page.getByLabel("SKU")).toHaveValue(name);
  };

  await test.step("a connection that is lost is reported until the notice is dismissed", async () => {
    await follow(lost);
    await expect(page.getByText("Page not loaded")).toBeVisible();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(page.getByText("Page not loaded")).toBeHidden();
    await expectUnchanged(1);
  });

  await test.step("a server that is busy for a minute is reported at once", async () => {
    await follow((route) =>
      route.fulfill({ status: 503, headers: { "Retry-After": "60" }, contentType: "text/html", body: "busy" }),
    );
    await expect(page.getByText("Try again in 60 seconds")).toBeVisible({ timeout: 4_000 });
    await expectUnchanged(1);
  });

  await test.step("a server that is busy twice is reported, and asked no more", async () => {
    await follow(busy);
    await expect(page.getByText("Try again in 2 seconds")).toBeVisible();
    await expectUnchanged(2);
    await page.waitForTimeout(3_500);
    await expectUnchanged(2);
  });

  await test.step("a server that is busy once is asked again after the time that it names", async () => {
    await follow((route) => (requests.length === 1 ? busy(route) : route.fallback()));
    await expect(page).toHaveURL(/advertiser\/campaigns$/);
    await expect(page.locator(".lost-request")).toHaveCount(0);
    const [first = 0, second = 0] = requests;
    expect(second - first).toBeGreaterThanOrEqual(2_000);
    expect(second - first).toBeLessThan(5_000);
  });
});

test("offline, a link to a screen whose code was never loaded leaves the screen as it is", async ({ browser }) => {
  const { page, name } = await openFilledForm(browser);
  const analytics = page.getByRole("navigation").getByRole("link", { name: "Analytics" }).first();
  await page.context().setOffline(true);
  await analytics.click();
  await expect(page.getByText("Page not loaded")).toBeVisible();
  await expect(page).toHaveURL(/products\/create$/);
  await expect(page.getByLabel("SKU")).toHaveValue(name);
  await page.context().setOffline(false);
  await analytics.click();
  await expect(page).toHaveURL(/advertiser\/analytics$/);
});

test("pointing at a link while the server restarts keeps what is typed, and the link works afterwards", async ({
  browser,
}) => {
  const { page, name } = await openFilledForm(browser);
  const analytics = page.getByRole("navigation").getByRole("link", { name: "Analytics" }).first();
  let failed = 0;
  // The browser has a network, so it believes to be online; the server refuses.
  await page.route(/\/assets\/|\.data/, (route) => {
    failed += 1;
    return route.abort("connectionrefused");
  });
  await analytics.hover();
  await expect.poll(() => failed).toBeGreaterThan(0);
  await analytics.click();
  await expect(page.getByText("Page not loaded")).toBeVisible();
  await expect(page).toHaveURL(/products\/create$/);
  await expect(page.getByLabel("SKU")).toHaveValue(name);
  await page.unroute(/\/assets\/|\.data/);
  await page.getByLabel("SKU").hover();
  await analytics.hover();
  await expect(page.getByLabel("SKU")).toHaveValue(name);
  await analytics.click();
  await expect(page).toHaveURL(/advertiser\/analytics$/);
  await expect(page.getByRole("heading", { name: "Analytics" })).toBeVisible();
});

test("a link whose scripts failed is followed later without a document, where a browser remembers failed imports", async ({
  browser,
}) => {
  const { page, name } = await openFilledForm(browser);
  const analytics = page.getByRole("navigation").getByRole("link", { name: "Analytics" }).first();
  const connection = await loseScripts(page);
  await page.route("**/*.data*", (route) => (connection.isLost ? lost(route) : route.fallback()));
  await analytics.hover();
  await analytics.click();
  await expect(page.getByText("Page not loaded")).toBeVisible();
  await expect(page.getByLabel("SKU")).toHaveValue(name);
  connection.isLost = false;
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.locator(".lost-request").getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/advertiser\/analytics$/);
  await expect(page.getByRole("heading", { name: "Analytics" })).toBeVisible();
  expect(documents).toBe(0);
});

test("a link to a screen of a newer build is followed as a document", async ({ browser }) => {
  const { page, name } = await openFilledForm(browser);
  await page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ status: 404, body: "gone" }));
  const analytics = page.getByRole("navigation").getByRole("link", { name: "Analytics" }).first();
  const refused = page.waitForResponse((response) => response.status() === 404);
  await analytics.hover();
  await refused;
  await expect(page.getByLabel("SKU")).toHaveValue(name);
  const loaded = page.waitForRequest((request) => request.isNavigationRequest());
  await analytics.click();
  expect(new URL((await loaded).url()).pathname).toBe("/advertiser/analytics");
  await expect(page).toHaveURL(/advertiser\/analytics$/);
});

test("an action that succeeded but cannot be shown is reported as done", async ({ browser }) => {
  const { page, name } = await openFilledForm(browser);
  await interceptWith(page, "GET", lost);
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("Your request was completed")).toBeVisible();
  expect(await findProducts(page, name)).toHaveLength(1);
});

test("a form that the application rejects with 429 comes back with its errors, whatever its fields hold", async ({
  browser,
}) => {
  const page = await newPageAs(browser, "advertiser@example.com");
  const sku = uniqueName("ErrorResponse");
  const product = { name: "The first one", sku, category: "Kettles", price: 49.9 };
  expect((await page.request.post("/api/products", { data: product })).status()).toBe(201);
  await fillProduct(page, "/advertiser", { name: "ErrorResponse", sku });
  await interceptWith(page, "POST", async (route) => {
    const response = await route.fetch();
    expect(await response.text()).toContain('"ErrorResponse"');
    await route.fulfill({ response, status: 429 });
  });
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByLabel("SKU")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Your request was not completed")).toBeHidden();
});

test("a sign-in that is lost on its last step is completed from the message", async ({ page }) => {
  await page.goto("/advertiser/login?redirectTo=/advertiser/dashboard");
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.route("**/auth/callback.data*", (route) =>
    route.request().method() === "POST" ? lost(route) : route.fallback(),
  );
  await page.getByRole("button", { name: "advertiser@example.com" }).first().click();
  const notice = page.locator(".lost-request");
  await expect(notice).toBeVisible();
  await page.unroute("**/auth/callback.data*");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\/advertiser\/dashboard$/);
});

test("a form's own message stays when its request fails at a provider, with 503", async ({ page }) => {
  await page.goto("/publisher/login");
  await page.getByLabel("Work email").fill("jo@absent.example");
  const responded = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  expect((await responded).status()).toBe(503);
  await expect(page.getByRole("alert")).toHaveText("Absent can't be reached. Try again in a minute.");
});

test("a download of selected campaigns that is lost leaves the list and its selection", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns?status=active&q=Ridgeline");
  const box = page.getByLabel(/^Select .*Ridgeline/);
  await box.check();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.waitForTimeout(500);
  await expect(box).toBeChecked();
  await page.context().setOffline(false);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});
