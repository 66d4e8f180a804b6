import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { expect } from "vitest";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { canaryHost } from "./xss-payloads.ts";

export type SentForm = { path: string; press: readonly [name: string, value: string]; fields: Record<string, string> };

/** Arguments for Chromium with which every request to the canary's host fails, unless a policy blocks it first. */
export const canaryArguments = [`--host-resolver-rules=MAP ${canaryHost} ~NOTFOUND`];

/**
 * A page that detects a payload that runs: by its call, by a dialog, or by a request to the canary's host. The browser
 * is one with `canaryArguments`.
 */
export async function openHostilePage(chromium: Browser, options: BrowserContextOptions & { cookies?: string[] } = {}) {
  const { cookies = [], ...more } = options;
  const context = await chromium.newContext(more);
  const ran: number[] = [];
  await context.exposeFunction("__xss", (id: number) => void ran.push(id));
  // Intercepting the requests would disable the cache, and each page would load all of its scripts again.
  context.on("requestfailed", (request) => {
    const { hostname, pathname } = new URL(request.url());
    if (hostname === canaryHost && request.failure()?.errorText !== "csp") ran.push(Number(pathname.slice(1)));
  });
  context.on("dialog", async (dialog) => {
    ran.push(Number(dialog.message()));
    await dialog.dismiss();
  });
  for (const cookie of cookies) {
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, domain: "localhost", path: "/", httpOnly: true, sameSite: "Lax" }]);
  }
  const page = await context.newPage();

  /** Opens a URL and lets its scripts run; returns the ids of the payloads in the page. */
  async function look(url: string): Promise<number[]> {
    const answer = await page.goto(url);
    expect(answer?.status(), url).toBeLessThan(500);
    return settle(page);
  }

  /**
   * Returns the ids of the payloads in the response, which is parsed but not opened: that takes a fifth of the time.
   */
  async function read(url: string): Promise<number[]> {
    const answer = await page.request.get(url);
    expect(answer.status(), url).toBeLessThan(500);
    const text = await answer.text();
    if (!answer.headers()["content-type"]?.startsWith("text/html")) return idsIn(text);
    const { ids, dangerous } = await page.evaluate(findDangers, { html: text, marks });
    expect(dangerous, url).toEqual([]);
    return ids;
  }

  /**
   * Fills and submits a form: with the page's scripts, or natively as without scripting. When the browser's checks
   * reject the input and show errors, the form is then submitted natively.
   */
  async function send(origin: string, form: SentForm, natively: boolean): Promise<number[]> {
    await look(origin + form.path);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    const validationError = natively
      ? new Promise<never>(() => undefined)
      : page.waitForSelector('[aria-invalid="true"]');
    validationError.catch(() => undefined);
    await page.evaluate(fillAndSend, { ...form, natively });
    const answer = await Promise.race([answered, validationError.then(() => undefined)]);
    if (!answer) {
      answered.catch(() => undefined);
      return [...(await settle(page)), ...(await send(origin, form, true))];
    }
    expect(answer.status(), form.path).toBeLessThan(500);
    if (natively) await page.waitForLoadState();
    else await page.waitForTimeout(150);
    return settle(page);
  }

  return { page, ran: () => [...ran], look, read, send };
}

export type HostilePage = Awaited<ReturnType<typeof openHostilePage>>;

/** Waits for hydration and looks for what could run later, on a click or a key press. */
async function settle(page: Page): Promise<number[]> {
  await awaitHydration(page);
  const { ids, dangerous } = await page.evaluate(findDangers, { marks });
  expect(dangerous, page.url()).toEqual([]);
  return ids;
}

/** The text before a payload's id. */
const marks = "(?:xss\\(|canary\\.example\\/)(\\d+)";

function idsIn(text: string): number[] {
  return [...text.matchAll(new RegExp(marks, "g"))].map((match) => Number(match[1]));
}

/**
 * Runs in the page. Returns markup that React never writes and none of our pages has, and the ids of the payloads: in
 * the page itself, or in the HTML of another page.
 */
function findDangers({ html: of, marks: pattern }: { html?: string; marks: string }) {
  const shown = of === undefined ? document : new DOMParser().parseFromString(of, "text/html");
  const addresses = ["href", "action", "formaction", "data", "xlink:href"];
  const dangerous: string[] = [];
  for (const element of shown.querySelectorAll("*")) {
    const html = () => dangerous.push(element.outerHTML.slice(0, 300));
    if (/^(iframe|frame|object|embed|base|applet|template)$/i.test(element.tagName)) html();
    if (element instanceof HTMLScriptElement && element.nonce === "" && element.type !== "application/json") html();
    for (const { name, value } of element.attributes) {
      const scheme = addresses.includes(name) && URL.canParse(value, location.href) && new URL(value, location.href);
      if (name.startsWith("on") || name === "srcdoc" || (scheme && !/^(https?|mailto):$/.test(scheme.protocol))) html();
    }
  }
  const ids = [...shown.documentElement.outerHTML.matchAll(new RegExp(pattern, "g"))].map((match) => Number(match[1]));
  return { ids, dangerous };
}

/** Runs in the page. */
function fillAndSend({ path, press: [pressName, pressValue], fields, natively }: SentForm & { natively: boolean }) {
  const [first = pressName] = Object.keys(fields);
  const button = [...document.querySelectorAll("button")].find(
    (one) => one.name === pressName && one.value === pressValue && one.form?.elements.namedItem(first),
  );
  const form = button?.form;
  if (!form) throw new Error(`There is no button ${pressName}=${pressValue} for ${path} at ${location.href}`);
  const add = (name: string, value: string) =>
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) Object.assign(field, { type: "text", value });
    else if (field instanceof HTMLTextAreaElement) field.value = value;
    else add(name, value);
  }
  if (!natively) return form.requestSubmit(button);
  if (pressName) add(pressName, pressValue);
  form.submit();
}
