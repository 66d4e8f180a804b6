import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContext, Page } from "@playwright/test";

/** What axe finds on the page, as readable lines. */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}

/**
 * The page as a browser without scripting shows it, in one where axe can run, since axe itself is a script: its HTML
 * without the scripts, the content of `<noscript>` in its place, and the styles that hold without scripting.
 */
export async function openStill(page: Page): Promise<Page> {
  const html = (await page.content())
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replace(/<\/?noscript>/g, "")
    .replace(/<meta http-equiv="refresh"[^>]*>/gi, "");
  const context = await scriptingContext(page);
  await context.route("**/*", async (route) => {
    if (route.request().isNavigationRequest()) return route.fulfill({ contentType: "text/html", body: html });
    if (route.request().resourceType() !== "stylesheet") return route.continue();
    const response = await route.fetch();
    const css = (await response.text())
      .replace(/\(scripting: ?none\)/g, "all")
      .replace(/\(scripting: ?enabled\)/g, "not all");
    return route.fulfill({ response, body: css });
  });
  const still = await context.newPage();
  await still.goto(page.url());
  return still;
}

async function scriptingContext(page: Page): Promise<BrowserContext> {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page has no browser");
  return browser.newContext({ javaScriptEnabled: true });
}
