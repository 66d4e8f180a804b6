import { expect, type Page } from "@playwright/test";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { uniqueName } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { findHydrationFaults } from "#tests/support/browser/hydration-faults.ts";
import { loseScripts } from "#tests/support/browser/lose-scripts.ts";
import { test } from "#tests/support/browser/test.ts";

/** A campaign that delivers; the newest active ones are those of other tests. */
const list = "/advertiser/test-mode/campaigns?q=Ridgeline%20Packs%20Prospecting";

/** Opens a campaign's page as a document, and returns the names of the scripts that it loads from then on. */
async function openCampaign(page: Page): Promise<string[]> {
  await page.goto(list);
  const path = await page.locator(".row-link").first().getAttribute("href");
  const scripts = watchScripts(page);
  await page.goto(String(path));
  return scripts;
}

/** Returns a list that gets the name of each script which the page loads on demand from then on. */
function watchScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    // Each is fetched before it is imported.
    if (request.resourceType() !== "script") return;
    const [, name] = /\/assets\/([a-z-]+)-[\w-]{7}\.js$/.exec(request.url()) ?? [];
    if (name) scripts.push(name);
  });
  return scripts;
}

test("a campaign's charts load their script when they are entered, and stay as they are", async ({ page }) => {
  const scripts = await openCampaign(page);
  const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Delivery by day, / }) });
  expect(scripts).not.toContain("delivery-cards");
  const summary = chart.getByText("Show as table");
  const before = await summary.elementHandle();
  await summary.click();
  await expect.poll(() => scripts).toContain("delivery-cards");
  await expect(chart.getByRole("table", { name: "Delivery by day" })).toBeVisible();
  const plot = chart.locator(".chart-plot");
  await plot.hover({ position: { x: 200, y: 60 } });
  await expect(chart.locator(".chart-tooltip")).toBeVisible();
  // The element that was clicked is still the page's, and open.
  expect(await before?.evaluate((element) => element.isConnected && element.closest("details")?.open)).toBe(true);
});

test("a chart shows the value where the pointer already is when its script arrives", async ({ page }) => {
  await openCampaign(page);
  const release = await holdBack(page, /\/assets\/delivery-cards-/);
  const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Delivery by day, / }) });
  await chart.locator(".chart-plot").hover({ position: { x: 200, y: 60 } });
  await expect(chart.locator(".chart-tooltip")).toHaveCount(0);
  release();
  await expect(chart.locator(".chart-tooltip")).toBeVisible();
});

test("a link shows a campaign with its charts at once, however late their script comes", async ({ page }) => {
  await page.goto(list);
  await page.route(/\/assets\/(delivery|pacing)-card/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  const link = page.locator(".row-link").first();
  const name = (await link.textContent()) ?? "";
  // Whether the heading was ever shown without the charts.
  await page.evaluate((title) => {
    const look = () => {
      const isCampaign = document.querySelector("h1")?.textContent?.includes(title);
      if (isCampaign && !document.querySelector(".chart-plot")) document.documentElement.dataset.early = "";
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  }, name.trim());
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name.trim());
  await expect(page.locator(".chart-plot").first()).toBeVisible();
  await expect(page.locator("html[data-early]")).toHaveCount(0);
});

test("the budget's form opens without its script, and is sent to its page", async ({ page }) => {
  await openCampaign(page);
  await page.route(/\/assets\/budget-form-/, (route) => route.abort());
  await page.getByText("Change budget or end date").click();
  await page.getByLabel("Daily budget").fill("abc");
  await page.getByRole("button", { name: "Send change" }).click();
  await expect(page).toHaveURL(/\/budget$/);
  await expect(page.getByText("Enter an amount in US dollars").first()).toBeVisible();
});

/** Creates a draft by its first step, and returns the URL of its wizard without the step. */
async function createDraft(page: Page): Promise<string> {
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill(uniqueName("Step by step"));
  await page.getByRole("button", { name: "Next: Ad Format & Creative" }).click();
  await expect(page).toHaveURL(/\/edit\?step=2$/);
  return page.url().replace(/2$/, "");
}

test("a step of the wizard preloads its own script alone, and Next loads those of the others", async ({ page }) => {
  const wizard = await createDraft(page);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  // The draft's page may still be loading the parts of the other steps.
  await page.goto("about:blank", { waitUntil: "load" });
  const scripts = watchScripts(page);
  const response = await page.goto(`${wizard}3`);
  const preloads = (await response?.text())?.match(/<link nonce="[^"]+" rel="modulepreload" href="[^"]+"/g) ?? [];
  expect(preloads.join()).toContain("/assets/audience-step-");
  await awaitHydration(page);
  expect(await findHydrationFaults(page)).toEqual([]);
  expect(scripts).toContain("audience-step");
  expect(scripts).not.toContain("creative-step");
  expect(scripts).not.toContain("budget-step");
  await page.getByRole("button", { name: "Next: Channel Selection" }).click();
  await expect(page.getByText("DV360").first()).toBeVisible();
  expect(scripts).toContain("channel-fields");
  expect(scripts).toContain("budget-step");
  expect(errors).toEqual([]);
  // No document was loaded: each script came once.
  expect(new Set(scripts).size).toBe(scripts.length);
});

test("what is typed in a step before its script arrives stays, and is saved", async ({ page }) => {
  const wizard = await createDraft(page);
  const release = await holdBack(page, /\/assets\/budget-step-/);
  await page.goto(`${wizard}5`, { waitUntil: "commit" });
  const field = page.getByLabel("Total budget");
  await field.fill("1234");
  const before = await field.elementHandle();
  expect(await page.evaluate(() => Object.keys(document.documentElement).join())).not.toContain("__react");
  release();
  await awaitHydration(page);
  await expect(field).toHaveValue("1234");
  expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await page.goto(`${wizard}5`);
  await expect(page.getByLabel("Total budget")).toHaveValue(/1,?234/);
});

test("a step whose script can't be loaded works as it does without scripting", async ({ page }) => {
  const wizard = await createDraft(page);
  await page.route(/\/assets\/budget-step-/, (route) => route.abort());
  await page.goto(`${wizard}5`, { waitUntil: "load" });
  await page.getByLabel("Total budget").fill("4321");
  await page.getByRole("button", { name: "Next: Review & Launch" }).click();
  await expect(page).toHaveURL(/step=6$/);
  await expect(page.getByText("$4,321.00").first()).toBeVisible();
});

test("a tab whose script can't be loaded says so, and is shown when it can", async ({ page }) => {
  await page.goto("/advertiser/test-mode/billing");
  const connection = await loseScripts(page, /\/assets\/transactions-tab-/);
  await page.getByRole("link", { name: "Ad Spend", exact: true }).click();
  await expect(page.getByText("This part could not be loaded.")).toBeVisible();
  await page.getByRole("link", { name: "Payment Methods", exact: true }).click();
  await expect(page.getByText("This part could not be loaded.")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add payment method" }).first()).toBeVisible();
  connection.isLost = false;
  await page.getByRole("link", { name: "Ad Spend", exact: true }).click();
  await expect(page.getByRole("table").first()).toBeVisible();
  await expect(page.getByText("This part could not be loaded.")).toHaveCount(0);
});

test("a tab is shown when a file that its script imports failed and arrives later", async ({ page }) => {
  await page.goto("/advertiser/test-mode/billing");
  const connection = await loseScripts(page, /\/assets\/(?!transactions-tab)/);
  await page.getByRole("link", { name: "Ad Spend", exact: true }).click();
  await expect(page.getByText("This part could not be loaded.")).toBeVisible();
  connection.isLost = false;
  await page.getByRole("link", { name: "Payment Methods", exact: true }).click();
  await page.getByRole("link", { name: "Ad Spend", exact: true }).click();
  await expect(page.getByRole("table").first()).toBeVisible();
});
