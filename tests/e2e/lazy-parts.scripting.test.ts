import { expect, type Page, test } from "@playwright/test";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";

/** A campaign that delivers; the newest active ones are those of other tests. */
const list = "/advertiser/test-mode/campaigns?q=Ridgeline%20Packs%20Prospecting";

/** Opens a campaign's page as a document, and returns the names of the scripts that it loads from then on. */
async function openCampaign(page: Page): Promise<string[]> {
  await page.goto(list);
  const path = await page.locator(".row-link").first().getAttribute("href");
  const scripts: string[] = [];
  page.on("request", (request) => {
    const [, name] = /\/assets\/([a-z-]+)-[\w-]{7}\.js$/.exec(request.url()) ?? [];
    if (name) scripts.push(name);
  });
  await page.goto(String(path));
  await awaitHydration(page);
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
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/delivery-cards-/, async (route) => {
    await held;
    await route.continue();
  });
  const chart = page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Delivery by day, / }) });
  await chart.locator(".chart-plot").hover({ position: { x: 200, y: 60 } });
  await expect(chart.locator(".chart-tooltip")).toHaveCount(0);
  release();
  await expect(chart.locator(".chart-tooltip")).toBeVisible();
});

test("a link shows a campaign with its charts at once, however late their script comes", async ({ page }) => {
  await page.goto(list);
  await awaitHydration(page);
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
