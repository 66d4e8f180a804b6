import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { nextFrames } from "./layout-faults.ts";
import { addMeasuredLooks, measuredLooks } from "./measured-looks.ts";

/** The minified source. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let engineUrl: Promise<string> | undefined;

/**
 * Serves axe's source for as long as this process lives. A script that a page loads from the same URL as the page
 * before it is compiled once for both; one that is evaluated is compiled again in each page.
 */
async function serveEngine(): Promise<string> {
  const headers = { "Content-Type": "text/javascript", "Cache-Control": "max-age=86400" };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(source));
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/axe.js`;
}

/** Loads axe, in the page, unless it is there. The product's content security policy trusts what a script inserts. */
async function loadEngine(url: string): Promise<void> {
  if ("axe" in window) return;
  const script = document.createElement("script");
  script.src = url;
  const loaded = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
  });
  document.head.append(script);
  await loaded;
  script.remove();
}

/**
 * Returns axe's violations on the page as readable lines. Runs in the page itself and collects violations only: no
 * screen has frames, and collecting passes as well takes five times as long. Contrast, four fifths of the rest, is
 * measured once in a run for all texts that look alike, and so is what tells a link from the text around it.
 */
export async function findViolations(page: Page): Promise<string[]> {
  const marked = await page.evaluate(markTextsThatDiffer, [...measuredLooks()].join(" "));
  engineUrl ??= serveEngine();
  await page.evaluate(loadEngine, await engineUrl);
  const found = await page.evaluate(async () => {
    const { axe: engine } = window as unknown as { axe: typeof axe };
    const rules = [
      { id: "color-contrast", selector: "[data-contrast]" },
      { id: "link-in-text-block", selector: "[data-link]" },
    ];
    // Otherwise each element that is looked at has its HTML written out.
    engine.configure({ rules, noHtml: true });
    const { violations } = await engine.run({ resultTypes: ["violations"] });
    const htmlOf = (target: string) => document.querySelector(target)?.outerHTML ?? target;
    return violations.map(
      (rule) => `${rule.id}: ${rule.nodes.map((node) => htmlOf(node.target.join(" "))).join(" | ")}`,
    );
  });
  if (found.length === 0) addMeasuredLooks(marked);
  return found;
}

/**
 * Marks, in the page, the first and the last of all elements whose text looks alike: the same tag, classes, font, color
 * and state on the same backgrounds; of links also in the same text. Every row of a table has the contrast of the first
 * one. Looks that are measured already are left out; the others are returned, each as a hash of 53 bits. `measured` is
 * a text, because Playwright passes a thousand numbers one by one.
 */
function markTextsThatDiffer(measured: string): number[] {
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

  function lookOf(element: Element): string {
    const { color, fontSize, fontWeight, textShadow, textDecorationLine, visibility } = getComputedStyle(element);
    const state = element.matches(":disabled, [aria-disabled=true], :disabled *, [aria-disabled=true] *");
    const names = [element.tagName, element.getAttribute("class"), state];
    const style = [color, fontSize, fontWeight, textShadow, textDecorationLine, visibility];
    return `${[...names, ...style].join()} > ${groundOf(element)}`;
  }

  const alike = new Map<string, { first: Element; last: Element; mark: string }>();
  function add(key: string, element: Element, mark: string): void {
    alike.set(key, { first: alike.get(key)?.first ?? element, last: element, mark });
  }
  for (const element of document.body.querySelectorAll("*")) {
    element.removeAttribute("data-contrast");
    element.removeAttribute("data-link");
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const isField = element.matches("input, select, textarea");
    const isLink = element.matches("a[href], [role=link]");
    if (!(hasText || isField || isLink) || element.getClientRects().length === 0) continue;
    const look = lookOf(element);
    if (hasText || isField) add(look, element, "data-contrast");
    // A link differs from the text around it, or not.
    if (isLink && element.parentElement) add(`${look} in ${lookOf(element.parentElement)}`, element, "data-link");
  }
  function hashOf(text: string): number {
    let [high, low] = [7, 11];
    for (let at = 0; at < text.length; at += 1) {
      high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b);
      low = Math.imul(low ^ text.charCodeAt(at), 0xc2b2ae35);
    }
    return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
  }
  const known = new Set(measured.split(" ").map(Number));
  const marked: number[] = [];
  for (const [key, { first, last, mark }] of alike) {
    const look = hashOf(key);
    if (known.has(look)) continue;
    marked.push(look);
    first.setAttribute(mark, "");
    last.setAttribute(mark, "");
  }
  return marked;
}

type Look = { width: 1280 | 390; colorScheme: "light" | "dark" };

const [wideLight, wideDark, narrowLight, narrowDark] = ([1280, 390] as const).flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme): Look => ({ width, colorScheme })),
) as [Look, Look, Look, Look];

/** In the small run each mode of a screen has one look: the two modes of a screen have different widths and schemes. */
const pairs = [
  { scripting: wideDark, "no scripting": narrowLight },
  { scripting: narrowLight, "no scripting": wideDark },
  { scripting: wideLight, "no scripting": narrowDark },
  { scripting: narrowDark, "no scripting": wideLight },
] as const;

/** The looks of one of many screens in a mode, by its place among them: in the full run all four. */
export function looksOf(mode: "scripting" | "no scripting", place: number): Look[] {
  const pair = pairs[place % pairs.length];
  return isFullFaultRun || !pair ? [wideLight, wideDark, narrowLight, narrowDark] : [pair[mode]];
}

/** Asserts for each look that axe finds no violations and that the page is not wider than the window. */
export async function expectLooks(page: Page, looks: readonly Look[], subject: string): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // New colors take a frame to apply.
    await nextFrames(page);
    const look = `${subject}, ${width} ${colorScheme}`;
    expect(await findViolations(page), look).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${subject}: wider than ${width} pixels`).toBeLessThanOrEqual(0);
  }
}

/** Shows the server's responses as a browser without scripting does. */
export type Still = {
  page: Page;
  /** Shows `html` as the server's response at `url`. */
  show: (url: string, html: string) => Promise<void>;
};

/**
 * Opens a page that renders other pages as a browser without scripting would, in a page that can run axe, which is a
 * script: without scripts, with `<noscript>` content and with the no-script styles.
 */
export async function openWithoutScripting(browser: Browser): Promise<Still> {
  const page = await browser.newPage({ javaScriptEnabled: true });
  const styles = new Map<string, Promise<string>>();
  function stylesAt(url: string): Promise<string> {
    const known = styles.get(url) ?? page.request.get(url).then(async (response) => stillStyles(await response.text()));
    styles.set(url, known);
    return known;
  }
  return {
    page,
    async show(url, html) {
      // One document shows every response, so that axe is compiled once. It is empty, and the page's own requests are
      // not intercepted, so that fonts and images come from the cache.
      if (page.url() === "about:blank") {
        await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "" }));
        await page.goto(url);
        await page.unroute("**/*");
        // A page that no server sent may not load a script from this machine.
        await page.evaluate(`void (() => { ${source} })()`);
      }
      let shown = html
        .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
        .replace(/<link\b[^>]*\brel="modulepreload"[^>]*>/g, "")
        .replace(/<\/?noscript>/g, "")
        .replace(/<meta http-equiv="refresh"[^>]*>/gi, "");
      for (const [link] of shown.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)) {
        const href = /\bhref="([^"]+)"/.exec(link)?.[1] ?? "";
        const css = await stylesAt(new URL(href, url).href);
        shown = shown.replace(link, () => `<style>${css}</style>`);
      }
      await page.evaluate((shownUrl) => history.replaceState(null, "", shownUrl), url);
      await page.setContent(shown);
    },
  };
}

function stillStyles(css: string): string {
  return css.replace(/\(scripting: ?none\)/g, "all").replace(/\(scripting: ?enabled\)/g, "not all");
}
