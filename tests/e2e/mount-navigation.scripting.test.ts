import { expect, type Page } from "@playwright/test";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { test } from "#tests/support/browser/test.ts";

const base = "/publisher/test-mode";

/** The ids of the routes that the page's browser knows; none before its script has run. */
async function knownRoutes(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(Object(Reflect.get(window, "__remixManifest")).routes ?? {}));
}

/** Says whether the browser loaded another page for what was done, or stayed in the one it had. */
async function watch(page: Page, act: () => Promise<unknown>): Promise<"loads" | "stays"> {
  await awaitHydration(page);
  await page.evaluate(() => Object.assign(window, { isStillThere: true }));
  const before = page.url();
  await act();
  // A page without scripts has no router to wait for.
  await page.waitForURL((url) => url.href !== before);
  return (await page.evaluate(() => "isStillThere" in window)) ? "stays" : "loads";
}

const follow = (page: Page, name: string) =>
  watch(page, () => page.getByRole("link", { name, exact: true }).first().click());

test("a link within a mount navigates without a page load, and the browser has only the routes of its mount", async ({
  page,
}) => {
  await page.goto(`${base}/campaigns`);
  const known = await knownRoutes(page);
  expect(known).toContain("publisher/test-mode/approval");
  expect(known.filter((id) => id.startsWith("advertiser") || id === "publisher/campaigns")).toEqual([]);
  expect(await follow(page, "Dashboard")).toBe("stays");
  await expect(page).toHaveURL(`${base}/dashboard`);
});

test("a link out of a mount loads a new page, and Back works", async ({ page }) => {
  await page.goto("/advertiser/login");
  expect(await follow(page, "Terms of Service")).toBe("loads");
  await expect(page).toHaveURL("/terms");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of Service");
  await page.goBack();
  await expect(page).toHaveURL("/advertiser/login");
  await expect(page.locator("[data-busy]")).toHaveCount(0);
  expect(await follow(page, "Privacy Policy")).toBe("loads");
  await expect(page).toHaveURL("/privacy");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
});

test("after a reload Back leads to a page outside the mount", async ({ page }) => {
  await page.goto("/unsubscribe?token=none");
  const goHome = () => page.evaluate(() => void Object(Reflect.get(window, "__remixRouter")).navigate("/"));
  expect(await watch(page, goHome)).toBe("stays");
  expect(await watch(page, () => page.locator(`a[href="${base}"]`).first().click())).toBe("stays");
  await page.reload();
  expect(await knownRoutes(page)).not.toContain("screens/public/unsubscribe/route");
  await page.evaluate(() => window.history.go(-2));
  await expect(page).toHaveURL("/unsubscribe?token=none");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a link to an unknown URL loads the 404 page", async ({ page }) => {
  await page.goto(`${base}/campaigns`);
  const responses: number[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/no/such/page?a=b")) responses.push(response.status());
  });
  const go = () => page.evaluate(() => void Object(Reflect.get(window, "__remixRouter")).navigate("/no/such/page?a=b"));
  expect(await watch(page, go)).toBe("loads");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  expect(responses).toEqual([404]);
});
