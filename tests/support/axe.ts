import type { APIResponse, Browser, Page } from "@playwright/test";
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
 * A page that shows others as a browser without scripting does, in one where axe can run, since axe itself is a script:
 * their HTML without the scripts, the content of `<noscript>` in its place, and the styles that hold without scripting.
 */
export async function openStill(browser: Browser): Promise<{ page: Page; show: (other: Page) => Promise<void> }> {
  const page = await browser.newPage({ javaScriptEnabled: true });
  const styles = new Map<string, Promise<string>>();
  let html = "";
  await page.route("**/*", async (route) => {
    if (route.request().isNavigationRequest()) return route.fulfill({ contentType: "text/html", body: html });
    if (route.request().resourceType() !== "stylesheet") return route.continue();
    const url = route.request().url();
    const body = styles.get(url) ?? route.fetch().then(stillStyles);
    styles.set(url, body);
    return route.fulfill({ contentType: "text/css", body: await body });
  });
  return {
    page,
    async show(other) {
      html = (await other.content())
        .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
        .replace(/<\/?noscript>/g, "")
        .replace(/<meta http-equiv="refresh"[^>]*>/gi, "");
      await page.goto(other.url());
    },
  };
}

async function stillStyles(response: APIResponse): Promise<string> {
  const css = await response.text();
  return css.replace(/\(scripting: ?none\)/g, "all").replace(/\(scripting: ?enabled\)/g, "not all");
}
