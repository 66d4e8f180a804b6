import type { BrowserContext, Page } from "@playwright/test";
import axe from "axe-core";

/**
 * What axe finds on the page, as readable lines. It is asked in the page itself and for what is wrong only: no screen
 * has frames, and to gather what is right as well costs five times as much.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] });
    return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
  });
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
