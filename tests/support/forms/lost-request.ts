import { expect, type Page, type Route } from "@playwright/test";
import type { SentForm } from "./sent-forms.ts";

/** Handles each data request with this method in place of the server. */
export async function interceptWith(page: Page, method: "GET" | "POST", handler: (route: Route) => Promise<void>) {
  await page.route("**/*.data*", (route) => (route.request().method() === method ? handler(route) : route.fallback()));
}

export const lost = (route: Route) => route.abort("internetdisconnected");
export const busy = (route: Route) =>
  route.fulfill({ status: 503, headers: { "Retry-After": "2" }, contentType: "text/html", body: "<h1>busy</h1>" });

/**
 * Sends the form without a connection, and again from the message to a busy server. Expects the same page with the
 * field's value each time, and the message in view.
 */
export async function expectKeptForm(
  page: Page,
  { submit, kept, method = "POST" }: Omit<SentForm, "name" | "source" | "open">,
) {
  if (typeof submit !== "function") await page.getByRole("button", { name: submit, exact: true }).first().waitFor();
  const url = page.url();
  const heading = page.locator("h1").first();
  const title = await heading.textContent();
  const handlers = [lost, busy];
  await interceptWith(page, method, (route) => (handlers.shift() ?? busy)(route));
  const expectUnchanged = async (message: string) => {
    const notice = page.locator(".lost-request").getByRole("alert").filter({ hasText: message });
    await expect(notice).toBeInViewport({ ratio: 1 });
    expect(page.url()).toBe(url);
    await expect(heading).toHaveText(title ?? "");
    if (kept) await expectValue(page, kept);
  };
  if (typeof submit === "function") await submit(page);
  else await page.getByRole("button", { name: submit, exact: true }).first().click();
  await expectUnchanged(method === "GET" ? "Page not loaded" : "What you entered is still here");
  await page.locator(".lost-request").getByRole("button", { name: "Try again" }).click();
  await expectUnchanged("Try again in 2 seconds");
  await page.locator(".lost-request").getByRole("button", { name: "Dismiss" }).click();
  await expect(page.locator(".lost-request")).toBeHidden();
  await page.unroute("**/*.data*");
}

async function expectValue(page: Page, { label, value }: NonNullable<SentForm["kept"]>) {
  const field = page.getByLabel(label).first();
  if (value === "chosen") await expect(field).toBeChecked();
  else await expect(field).toHaveValue(value);
}

/** Types or chooses the value of a field. */
export async function enter(page: Page, { label, value }: NonNullable<SentForm["kept"]>) {
  const field = page.getByLabel(label).first();
  const isSelect = await field.evaluate((element) => element instanceof HTMLSelectElement);
  if (value === "chosen") await field.check();
  else await (isSelect ? field.selectOption(value) : field.fill(value));
}
