import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type APIResponse, type Browser, expect, type Page } from "@playwright/test";
import type axe from "axe-core";

/** The minified text: the page compiles it anew after each navigation. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds on the page, as readable lines. It is asked in the page itself and for what is wrong only: no screen
 * has frames, and to gather what is right as well costs five times as much. Contrast, four fifths of what is left, is
 * measured once for all texts that look alike.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // The expression's value would be sent back, which takes longer than axe does.
  await page.evaluate(`void (window.axe ?? (() => { ${source} })())`);
  await page.evaluate(markTextsThatDiffer);
  return page.evaluate(async () => {
    const { axe: engine } = window as unknown as { axe: typeof axe };
    engine.configure({ rules: [{ id: "color-contrast", selector: "[data-contrast]" }] });
    const { violations } = await engine.run({ resultTypes: ["violations"] });
    return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
  });
}

/**
 * Marks, in the page, the first and the last of all elements with text that look alike: the same tag, classes, font, color
 * and state before the same backgrounds. Each row of a table has the contrast of the first.
 */
function markTextsThatDiffer(): void {
  const grounds = new Map<Element, string>();
  function groundOf(element: Element | null): string {
    if (!element) return "";
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, position, filter } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, opacity, position, filter].join();
    const behind = groundOf(element.parentElement);
    const ground = own === "rgba(0, 0, 0, 0),none,1,static,none" ? behind : `${own} > ${behind}`;
    grounds.set(element, ground);
    return ground;
  }

  const alike = new Map<string, { first: Element; last: Element }>();
  for (const element of document.body.querySelectorAll("*")) {
    element.removeAttribute("data-contrast");
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    if (!(hasText || element.matches("input, select, textarea"))) continue;
    if (element.getClientRects().length === 0) continue;
    const { color, fontSize, fontWeight, textShadow, visibility } = getComputedStyle(element);
    const state = element.matches(":disabled, [aria-disabled=true], :disabled *, [aria-disabled=true] *");
    const look = [
      element.tagName,
      element.getAttribute("class"),
      color,
      fontSize,
      fontWeight,
      textShadow,
      visibility,
      state,
    ];
    const key = `${look.join()} > ${groundOf(element)}`;
    alike.set(key, { first: alike.get(key)?.first ?? element, last: element });
  }
  for (const { first, last } of alike.values()) {
    first.setAttribute("data-contrast", "");
    last.setAttribute("data-contrast", "");
  }
}

export type Look = { width: number; colorScheme: "light" | "dark" };

/** Expects of the page, in each look, that axe finds nothing and that it is not wider than the window. */
export async function expectLooks(page: Page, looks: readonly Look[], subject: string): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // New colors take a frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await findViolations(page), `${subject}, ${width} ${colorScheme}`).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${subject}: wider than ${width} pixels`).toBeLessThanOrEqual(0);
  }
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
  await page.route("**/*", async (route) => {
    if (route.request().isNavigationRequest()) return route.fulfill({ contentType: "text/html", body: "" });
    if (route.request().resourceType() !== "stylesheet") return route.continue();
    const url = route.request().url();
    const body = styles.get(url) ?? route.fetch().then(stillStyles);
    styles.set(url, body);
    return route.fulfill({ contentType: "text/css", body: await body });
  });
  return {
    page,
    async show(url, html) {
      const shown = html
        .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
        .replace(/<\/?noscript>/g, "")
        .replace(/<meta http-equiv="refresh"[^>]*>/gi, "");
      // One document takes each answer, so that axe is compiled once.
      if (page.url() === "about:blank") await page.goto(url);
      await page.evaluate((shownUrl) => history.replaceState(null, "", shownUrl), url);
      await page.setContent(shown);
    },
  };
}

async function stillStyles(response: APIResponse): Promise<string> {
  const css = await response.text();
  return css.replace(/\(scripting: ?none\)/g, "all").replace(/\(scripting: ?enabled\)/g, "not all");
}
