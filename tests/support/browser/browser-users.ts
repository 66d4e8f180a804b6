import { type APIRequestContext, type Browser, type Cookie, expect, type Page } from "@playwright/test";
import { awaitHydrationAfterLoads } from "./test.ts";

/**
 * Opens an empty page of a separate browser context for a person who is signed in; with or without scripting, as the
 * project says.
 */
export async function newPageAs(browser: Browser, email: string): Promise<Page> {
  const page = awaitHydrationAfterLoads(await (await browser.newContext()).newPage());
  await signIn(page, email);
  return page;
}

/** The cookies of each person who has signed in on this worker. */
const cookiesByUser = new Map<string, Cookie[]>();

/**
 * Signs the page's context in by calls, without opening a page: the tests of the sign-in open its pages. A person who
 * signed in before reuses that session, unless it has ended.
 */
export async function signIn(page: Page, email: string): Promise<void> {
  const context = page.context();
  await context.addCookies(cookiesByUser.get(email) ?? []);
  if ((await context.request.get("/api/users/me")).ok()) return;
  await signInByCalls(context.request, email);
  cookiesByUser.set(email, await context.cookies());
}

/** Signs a client of the calls in through the sign-in stand-in. */
export async function signInByCalls(request: APIRequestContext, email: string): Promise<void> {
  const { redirectUrl } = await (await request.get("/api/oauth/google/redirect_url")).json();
  const response = await request.get(`${redirectUrl}&login_hint=${email}`, { maxRedirects: 0 });
  const code = new URL(response.headers().location ?? "", "http://localhost").searchParams.get("code");
  expect((await request.post("/api/sessions", { data: { code } })).ok()).toBe(true);
}

/**
 * Registers a company of its own, whose person is then signed in on the page; by calls, without opening a page. Returns
 * the person's email address.
 */
export async function registerCompany(
  page: Page,
  portal: "advertiser" | "publisher",
  company = "Juniper Home",
): Promise<string> {
  const { request } = page.context();
  const email = `${portal}-${crypto.randomUUID()}@example.org`;
  await signInByCalls(request, email);
  const data = { user_type: portal, company_name: company };
  expect((await request.post("/api/users/register", { data })).ok()).toBe(true);
  return email;
}

/** Returns the day as `YYYY-MM-DD`, that many days from today (UTC). */
function dayFromToday(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns a name that is unique per run and mode, since all tests share one server. */
export function uniqueName(title: string): string {
  return `${title} ${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
}

/**
 * Returns the path of the wizard of a new campaign of test mode's advertiser, as whom the page is then signed in; by
 * calls, without opening a page.
 */
export async function wizardOfNewCampaign(page: Page, name: string): Promise<string> {
  await signIn(page, "advertiser@example.com");
  const { campaign } = await (await page.request.post("/api/campaigns", { data: { name } })).json();
  return `/advertiser/test-mode/campaigns/${campaign.id}/edit`;
}

/** Fills the form of a new product, without submitting it. */
export async function fillProduct(page: Page, portal: string, { name, sku }: { name: string; sku: string }) {
  await page.goto(`${portal}/products/create`);
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("SKU").fill(sku);
  await page.getByLabel("Category").fill("Kettles");
  await page.getByLabel("Price").fill("49.90");
}

/** Returns the products of the page's account whose name or SKU contains the text, without opening a page. */
export async function findProducts(page: Page, text: string): Promise<unknown[]> {
  return (await (await page.request.get("/api/products", { params: { q: text } })).json()).products;
}

/** Fills the wizard's six steps and stops at the last one, before the launch. */
export async function fillWizard(page: Page, { name, audiences }: { name: string; audiences: string[] }) {
  await page.goto("/advertiser/campaigns/create");
  await expect(page.getByRole("button", { name: "Previous" })).toBeDisabled();
  await page.getByLabel("Campaign name").fill(name);
  await page.getByRole("radio", { name: "Conversions" }).check();
  await next(page, "Ad Format & Creative");
  await page.getByRole("radio", { name: "Display" }).check();
  await page.getByLabel("Landing page").fill("https://northwind-outdoors.example/packs");
  await page.getByRole("checkbox", { name: "pack.png" }).check();
  await next(page, "Audience & Targeting");
  for (const audience of audiences) await page.getByRole("checkbox", { name: audience }).check();
  await page.getByRole("checkbox", { name: "United States" }).check();
  await next(page, "Channel Selection");
  await page.getByRole("radio", { name: "DSP" }).check();
  await page.getByRole("checkbox", { name: "The Trade Desk" }).check();
  await next(page, "Budget & Schedule");
  await page.getByLabel("Total budget").fill("5000");
  await page.getByLabel("Daily budget").fill("250.50");
  await page.getByLabel("Start date").fill(dayFromToday(0));
  await page.getByLabel("End date").fill(dayFromToday(14));
  await next(page, "Review & Launch");
}

async function next(page: Page, title: string) {
  await page.getByRole("button", { name: `Next: ${title}` }).click();
  await expect(page.getByRole("link", { name: `: ${title}` })).toHaveAttribute("aria-current", "step");
}

/** Reviews a campaign in the dialog of Campaign Approval. */
export async function reviewInDialog(
  page: Page,
  { name, answer: decision, notes }: { name: string; answer: "Approve" | "Reject"; notes: string },
) {
  await page.goto("/publisher/approval");
  await page.getByRole("link", { name: `Review Details of ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: "Campaign Details" });
  await dialog.getByLabel("Approval Notes (Optional)").fill(notes);
  await dialog.getByRole("button", { name: decision }).click();
  await expect(page.getByText(`You ${decision === "Approve" ? "approved" : "rejected"} “${name}”`)).toBeVisible();
}
