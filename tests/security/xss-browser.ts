import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { expect } from "vitest";
import { canaryHost } from "./xss-payloads.ts";

export type SentForm = { path: string; press: readonly [name: string, value: string]; fields: Record<string, string> };

/** A page in which a payload that runs is noticed: by its own call, a dialog, or a request to the canary's host. */
export async function openToAttack(chromium: Browser, options: BrowserContextOptions & { cookies?: string[] } = {}) {
  const { cookies = [], ...more } = options;
  const context = await chromium.newContext(more);
  const ran: number[] = [];
  await context.exposeFunction("__xss", (id: number) => void ran.push(id));
  await context.route(`https://${canaryHost}/**`, async (route) => {
    ran.push(Number(new URL(route.request().url()).pathname.slice(1)));
    await route.fulfill({ contentType: "text/html", body: "" });
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

  /** Opens an address and lets its scripts do their work; the ids of the payloads that stand in the page. */
  async function look(url: string): Promise<number[]> {
    const answer = await page.goto(url);
    expect(answer?.status(), url).toBeLessThan(500);
    return settle(page);
  }

  /** The ids of the payloads in what an address answers, which is parsed but not opened: a fifth of the time. */
  async function read(url: string): Promise<number[]> {
    const answer = await page.request.get(url);
    expect(answer.status(), url).toBeLessThan(500);
    const text = await answer.text();
    if (!answer.headers()["content-type"]?.startsWith("text/html")) return idsIn(text);
    const { html, dangerous } = await page.evaluate(findDangers, text);
    expect(dangerous, url).toEqual([]);
    return idsIn(html);
  }

  /**
   * Fills a form of a page and sends it: by the script of ours, or by the browser alone, as without scripting. What the
   * browser's checks hold back, with their errors in the page, is then sent by the browser alone.
   */
  async function send(origin: string, form: SentForm, natively: boolean): Promise<number[]> {
    await look(origin + form.path);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    const heldBack = natively ? new Promise<never>(() => undefined) : page.waitForSelector('[aria-invalid="true"]');
    heldBack.catch(() => undefined);
    await page.evaluate(fillAndSend, { ...form, natively });
    const answer = await Promise.race([answered, heldBack.then(() => undefined)]);
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

export type Watched = Awaited<ReturnType<typeof openToAttack>>;

/** Waits until React has taken the page over, and looks for what could run later, by a click or a key. */
async function settle(page: Page): Promise<number[]> {
  await page.waitForFunction(
    () =>
      !document.querySelector("[data-request-id]") ||
      Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber")),
  );
  const { html, dangerous } = await page.evaluate(findDangers, undefined);
  expect(dangerous, page.url()).toEqual([]);
  return idsIn(html);
}

function idsIn(text: string): number[] {
  return [...text.matchAll(/(?:xss\(|canary\.example\/)(\d+)/g)].map((match) => Number(match[1]));
}

/** Runs in the page. What React never writes, and no page of ours has: in the page itself, or in the HTML of another. */
function findDangers(of: string | undefined) {
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
  return { html: shown.documentElement.outerHTML, dangerous };
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
