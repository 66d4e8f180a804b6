import type { Page } from "@playwright/test";
import { postgres } from "#db/driver.server.ts";
import { registerCompany, signIn, uniqueName } from "#tests/support/browser/browser-users.ts";

const publisher = "/publisher/test-mode";

/** Runs one statement in the database of the browser tests, for a state that takes days to come about. */
export async function changeDatabase(statement: string, values: string[]): Promise<void> {
  const sql = postgres(process.env.E2E_DATABASE ?? "", { max: 1, onnotice: () => undefined });
  await sql.unsafe(statement, values);
  await sql.end();
}

/** Opens a page of a company of its own, which registers for it. Returns the email address of its person. */
export async function openAsNew(page: Page, portal: "advertiser" | "publisher", path: string): Promise<string> {
  const email = await registerCompany(page, portal);
  await page.goto(`/${portal}${path}`);
  return email;
}

/** Adds a payment method of the sandbox to the signed-in account, without its page. */
export async function addCard(page: Page, token: string): Promise<string> {
  const created = await page.request.post("/api/billing/payment-methods", { data: { token } });
  return (await created.json()).payment_method.id;
}

/** Opens the sign-in stand-in's account page. */
export async function openAccounts(page: Page): Promise<void> {
  await page.goto("/advertiser/login");
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByLabel("Use another email address").waitFor();
}

/** Opens the settings of a store that is connected, without its form, to a new company. */
export async function openStore(page: Page): Promise<void> {
  await registerCompany(page, "advertiser");
  const data = { kind: "shopify", store_url: process.env.E2E_SHOP, access_token: "shpat_good", frequency: "daily" };
  const { store } = await (await page.request.post("/api/stores", { data })).json();
  await page.goto(`/advertiser/products/stores/${store.id}`);
}

/** Returns the page of an audience that Klaviyo, which is connected, is to fill; by calls, without opening a page. */
export async function klaviyoAudience(page: Page): Promise<string> {
  await signIn(page, "publisher@example.com");
  await page.request.post("/api/connections", { data: { integration: "klaviyo", api_key: "pk_good" } });
  return newAudience(page, { data_source: "klaviyo" });
}

/** Returns the page of a new audience of test mode's publisher, as whom the page is then signed in; by calls. */
export async function newAudience(page: Page, fields: { data_source?: string } = {}): Promise<string> {
  await signIn(page, "publisher@example.com");
  return `${publisher}/audiences/${await createAudience(page, fields)}`;
}

/** Creates an audience of the signed-in publisher by a call, and returns its ID. */
export async function createAudience(page: Page, fields: { data_source?: string } = {}): Promise<string> {
  const data = { name: uniqueName("Readers"), segment: "high-value", ...fields };
  return (await (await page.request.post("/api/audiences", { data })).json()).audience.id;
}

/** Opens the columns of a file that was not recognized. */
export async function openColumns(page: Page): Promise<string> {
  await page.goto(await newAudience(page));
  const column = `Kontakt ${crypto.randomUUID().replace(/\d/g, "")}`;
  await page.getByLabel("Customer files").setInputFiles({
    name: "kunden.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`${column},Notiz,Herkunft\nmapped@example.com,nett,DE`),
  });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("region", { name: "Uploads" }).getByRole("link", { name: "View report" }).click();
  await page.getByRole("link", { name: "Choose columns" }).click();
  await page.getByLabel("Herkunft").waitFor();
  return column;
}
