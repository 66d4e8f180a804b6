import { expect, type Route } from "@playwright/test";
import { registerCompany } from "#tests/support/browser/browser-users.ts";
import { awaitHydrationAfterLoads, test } from "#tests/support/browser/test.ts";
import { startShopify } from "#tests/support/fakes/fake-stores.ts";

test("a store is connected, synced, changed, synced again and disconnected", async ({ page }, { project }) => {
  // Each mode has a catalog of its own: both run against one server, and there is one shop.
  const base = `/${project.name === "scripting" ? "advertiser" : "publisher"}/test-mode/products`;
  await page.goto(`${base}/upload`);
  await page.getByRole("link", { name: "Connect" }).first().click();
  await page.getByLabel("Store URL").fill(process.env.E2E_SHOP ?? "");
  await page.getByLabel("Admin API access token").fill("shpat_wrong");
  await page.getByRole("button", { name: "Connect Shopify" }).click();
  await expect(page.getByRole("alert")).toContainText("The Shopify store rejected the credentials");
  await page.getByLabel("Admin API access token").fill("shpat_good");
  await page.getByRole("button", { name: "Connect Shopify" }).click();
  await expect(page.getByText("Store connected. Importing products now.")).toBeVisible();
  await expect(page.getByText("2 new, 0 updated, 0 unchanged, 1 rejected")).toBeVisible();

  await page.getByLabel("Category for products without one").fill("Hats");
  await page.getByLabel("Sync schedule").selectOption("Every week");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Store settings saved")).toBeVisible();
  await page.getByRole("button", { name: "Sync now" }).click();
  await expect(page.getByText("1 new, 0 updated, 2 unchanged")).toBeVisible();
  await page.getByRole("link", { name: "View report" }).click();
  await expect(page.getByText("1 category filled in", { exact: true })).toBeVisible();
  await page.goto(`${base}?q=STORM-2`);
  await expect(page.getByRole("row").filter({ hasText: "STORM-2" })).toContainText("Hats");

  await page.goto(`${base}/upload`);
  await page.getByRole("listitem").filter({ hasText: "Connected" }).getByRole("link").click();
  await page.getByRole("link", { name: "Reconnect" }).click();
  await expect(page.getByLabel("Store URL")).toHaveValue(process.env.E2E_SHOP ?? "");
  await expect(page.getByLabel("Sync schedule")).toHaveValue("weekly");
  await expect(page.getByLabel("Category for products without one")).toHaveValue("Hats");
  await page.goBack();
  await page.getByRole("link", { name: "Disconnect" }).click();
  await expect(page.getByRole("heading", { name: "Disconnect Sahra & Beyond?" })).toBeVisible();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("Sahra & Beyond disconnected")).toBeVisible();
});

test("a sync that is refused because one is running changes none of the store's settings", async ({
  page,
  context,
}) => {
  const shop = await startShopify({ token: "shpat_good", variants: [{ title: "Clog", handle: "clog" }] });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  try {
    await registerCompany(page, "advertiser");
    const settings = { frequency: "weekly", default_category: "Shoes", derive_sku: true };
    const credentials = { kind: "shopify", store_url: shop.origin, access_token: "shpat_good" };
    const connected = await page.request.post("/api/stores", { data: { ...credentials, ...settings } });
    const { store } = await connected.json();
    const path = `/advertiser/products/stores/${store.id}`;
    await page.goto(path);
    const list = awaitHydrationAfterLoads(await context.newPage());
    await list.goto("/advertiser/products/upload");

    shop.interrupt(held);
    expect((await page.request.post(`/api/stores/${store.id}/sync`)).ok()).toBe(true);
    await context.route(`**${path}`, skipReloads);
    for (const opened of [page, list]) {
      await opened.getByRole("button", { name: "Sync now" }).click();
      await expect(opened.getByRole("alert")).toContainText("This store is already syncing");
      await expect(opened).toHaveURL(path);
      await expect(opened.getByLabel("Sync schedule")).toHaveValue("weekly");
      await expect(opened.getByLabel("Category for products without one")).toHaveValue("Shoes");
      await expect(opened.getByLabel("Generate a SKU for products without one")).toBeChecked();
    }
    await context.unroute(`**${path}`, skipReloads);
    await list.getByRole("button", { name: "Save" }).click();
    await expect(list.getByText("Store settings saved")).toBeVisible();
    const { stores } = await (await page.request.get("/api/stores")).json();
    expect(stores).toMatchObject([settings]);
    release();
    await expect(page.getByText("1 new, 0 updated, 0 unchanged")).toBeVisible();
    await expect(page.getByText("This store is already syncing")).toBeHidden();
  } finally {
    release();
    await shop.stop();
  }
});

/**
 * While a sync runs the page is loaded again every three seconds without scripting, which would show the stored
 * settings.
 */
function skipReloads(route: Route): Promise<void> {
  const request = route.request();
  const isReload = request.isNavigationRequest() && request.method() === "GET";
  return isReload ? route.fulfill({ status: 204 }) : route.continue();
}
