import type { APIResponse, Browser, Page } from "@playwright/test";
import axe from "axe-core";

/**
 * What axe finds on the page, as readable lines. It is asked in the page itself and for what is wrong only: no screen
 * has frames, and to gather what is right as well costs five times as much.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // The expression's value would be sent back, which takes longer than axe does.
  await page.evaluate(`void (window.axe ?? (() => { ${axe.source} })())`);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] });
    return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
  });
}

/** Shows answers of the server as a browser without scripting does. */
export type Still = {
  page: Page;
  /** `html` as the server answered it at `url`. */
  show: (url: string, html: string) => Promise<void>;
};

/**
 * A page that shows answers as a browser without scripting does, in one where axe can run, since axe itself is a script:
 * the HTML without its scripts, the content of `<noscript>` in its place, and the styles that hold without scripting.
 */
export async function openStill(browser: Browser): Promise<Still> {
  const page = await browser.newPage({ javaScriptEnabled: true });
  const styles = new Map<string, Promise<string>>();
  let shown = "";
  await page.route("**/*", async (route) => {
    if (route.request().isNavigationRequest()) return route.fulfill({ contentType: "text/html", body: shown });
    if (route.request().resourceType() !== "stylesheet") return route.continue();
    const url = route.request().url();
    const body = styles.get(url) ?? route.fetch().then(stillStyles);
    styles.set(url, body);
    return route.fulfill({ contentType: "text/css", body: await body });
  });
  return {
    page,
    async show(url, html) {
      shown = html
        .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
        .replace(/<\/?noscript>/g, "")
        .replace(/<meta http-equiv="refresh"[^>]*>/gi, "");
      await page.goto(url);
    },
  };
}

async function stillStyles(response: APIResponse): Promise<string> {
  const css = await response.text();
  return css.replace(/\(scripting: ?none\)/g, "all").replace(/\(scripting: ?enabled\)/g, "not all");
}
