import { type APIRequestContext, type Browser, expect, type Page, test } from "@playwright/test";

const base = "/publisher/test-mode";

/** A client of the calls, signed in by the stand-in as a demo account. */
async function signedIn(browser: Browser, email: string): Promise<APIRequestContext> {
  const { request } = await browser.newContext();
  const { redirectUrl } = await (await request.get("/api/oauth/google/redirect_url")).json();
  const asked = await request.get(`${redirectUrl}&login_hint=${email}`, { maxRedirects: 0 });
  const code = new URL(asked.headers().location ?? "", "http://localhost").searchParams.get("code");
  await request.post("/api/sessions", { data: { code } });
  return request;
}

/** A campaign that Harbor Goods, the publisher of test mode, is asked about. */
async function launchCampaign(advertiser: APIRequestContext, name: string): Promise<string> {
  const { audiences } = await (await advertiser.get("/api/audiences?q=hikers")).json();
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const created = await advertiser.post("/api/campaigns", {
    data: {
      name,
      objective: "traffic",
      ad_format: "display",
      selected_audiences: audiences.map(({ id }: { id: string }) => id).slice(0, 1),
      channel_type: "dsp",
      channels: ["dv360"],
      budget: 2000,
      daily_budget: 100,
      start_date: day(1),
      end_date: day(20),
    },
  });
  const { id } = (await created.json()).campaign;
  expect((await advertiser.post(`/api/campaigns/${id}/launch`)).status()).toBe(200);
  return id;
}

async function openReview(page: Page, name: string) {
  await page.goto(`${base}/approval`);
  await page.getByRole("link", { name: `Review Details of ${name}` }).click();
  await expect(page.getByRole("dialog", { name: "Campaign Details" })).toContainText(name);
}

test("a publisher sees what changed under its eyes, keeps its notes, and approves", async ({ page, browser }) => {
  const advertiser = await signedIn(browser, "advertiser@example.com");
  const name = `Review ${crypto.randomUUID()}`;
  const id = await launchCampaign(advertiser, name);
  await openReview(page, name);
  await page.getByLabel("Approval Notes (Optional)").fill("Glad to");
  await advertiser.patch(`/api/campaigns/${id}`, { data: { budget: 3000 } });
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("alert")).toContainText("The advertiser changed this campaign");
  await expect(page.getByLabel("Approval Notes (Optional)")).toHaveValue("Glad to");
  await expect(page.getByRole("dialog")).toContainText("$3,000.00");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL(new RegExp(`${base}/approval\\?status=pending$`));
  await expect(page.getByText(`You approved “${name}”`)).toBeVisible();
  await page.goto(`${base}/approval/${id}`);
  await expect(page.getByRole("dialog")).toContainText("You approved this campaign");
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
});

test("a publisher creates a campaign for an advertiser, pauses and resumes it", async ({ page }) => {
  const name = `Co-op ${crypto.randomUUID()}`;
  await page.goto(`${base}/campaigns`);
  await page.getByRole("link", { name: "Create Campaign for Advertiser" }).click();
  await page.getByRole("button", { name: "Create Campaign" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose an advertiser");
  await page.getByLabel("Advertiser").selectOption({ label: "Northwind Outdoors" });
  await page.getByLabel("Campaign name").fill(name);
  await page.getByLabel("Conversions").check();
  await page.getByLabel("Display").check();
  await page.getByLabel("Weekend hikers").check();
  await page.getByLabel("Walled garden").first().check();
  await page.getByLabel("TikTok").check();
  await page.getByLabel("Total budget").fill("abc");
  await page.getByLabel("Daily budget").fill("100");
  await page.getByLabel("End date").fill(new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("button", { name: "Create Campaign" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter an amount in US dollars");
  await expect(page.getByLabel("Total budget")).toHaveValue("abc");
  await page.getByLabel("Total budget").fill("1,500.50");
  await page.getByRole("button", { name: "Create Campaign" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

  await page.goto(`${base}/campaigns?filter=managed&q=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `Pause ${name}` }).click();
  await expect(page.getByText("Campaign paused")).toBeVisible();
  await page.getByRole("button", { name: `Resume ${name}` }).click();
  await expect(page.getByText("Campaign resumed")).toBeVisible();
  await expect(page).toHaveURL(/filter=managed&q=/);
});

test("a key's secret is shown once, and the key can be revoked", async ({ page }) => {
  const name = `Key ${crypto.randomUUID()}`;
  await page.goto(`${base}/profile`);
  await page.getByLabel("Name of the new key").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Secret")).toHaveValue(/^ek_/);
  await page.getByRole("link", { name: `Revoke ${name}` }).click();
  await expect(page.getByLabel("Secret")).toHaveCount(0);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Key revoked")).toBeVisible();
  await expect(page.getByRole("link", { name: `Revoke ${name}` })).toHaveCount(0);
});
