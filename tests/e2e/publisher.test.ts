import { expect, type Page } from "@playwright/test";
import { launchCampaign, signInToApi } from "#tests/support/browser/launched-campaigns.ts";
import { setValue } from "#tests/support/browser/set-value.ts";
import { test } from "#tests/support/browser/test.ts";

const base = "/publisher/test-mode";

async function openReview(page: Page, name: string) {
  await page.goto(`${base}/approval`);
  await page.getByRole("link", { name: `Review Details of ${name}` }).click();
  await expect(page.getByRole("dialog", { name: "Campaign Details" })).toContainText(name);
}

test("a publisher sees that a campaign changed during its review, keeps its notes, and approves", async ({
  page,
  browser,
}) => {
  const advertiser = await signInToApi(browser, "advertiser@example.com");
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

test("a rejection requires a reason or a note, beside the notes that are always visible", async ({ page, browser }) => {
  const name = `Reject ${crypto.randomUUID()}`;
  await launchCampaign(await signInToApi(browser, "advertiser@example.com"), name);
  await page.setViewportSize({ width: 1280, height: 800 });
  await openReview(page, name);
  const notes = page.getByLabel("Approval Notes (Optional)");
  await expect(notes).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Reject" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(notes).toHaveAccessibleDescription(/Choose a reason or write a note/);
  await expect(notes).toBeInViewport({ ratio: 1 });
  const reason = page.getByLabel("Creative needs work");
  await reason.check();
  // Enter decides nothing, although a browser sends a form by it.
  await reason.press("Enter");
  await page.waitForLoadState("networkidle");
  await expect(reason).toBeChecked();
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText(`You rejected “${name}”`)).toBeInViewport({ ratio: 1 });
});

test("a publisher creates a campaign for an advertiser, pauses, resumes and edits it, and the advertiser is notified", async ({
  page,
}) => {
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
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);

  await page.goto(`${base}/campaigns?filter=managed&q=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `Pause ${name}` }).click();
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages.getByText("Campaign paused")).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: `Resume ${name}` }).click();
  await expect(messages.getByText("Campaign resumed")).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveURL(/filter=managed&q=/);
  await messages.getByRole("button", { name: "Undo" }).click();
  await expect(messages.getByText("Campaign paused")).toBeVisible();
  await expect(page.getByRole("button", { name: `Resume ${name}` })).toBeVisible();
  await expect(page).toHaveURL(/filter=managed&q=/);

  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByLabel("Total budget")).toHaveValue("1500.50");
  await page.getByLabel("Total budget").fill("50");
  await page.getByRole("button", { name: "Save campaign" }).click();
  await expect(page.getByRole("alert")).toContainText("The daily budget can't exceed the total budget");
  await page.getByLabel("Total budget").fill("2,400");
  await page.getByRole("button", { name: "Save campaign" }).click();
  await expect(messages.getByText("Campaign saved. The advertiser sees the change.")).toBeVisible();

  await page.goto("/advertiser/test-mode/notifications");
  await page.getByRole("button", { name: `Harbor Goods changed “${name}”, which it manages for you` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await expect(page.locator("main")).toContainText("$2,400.00");
  await expect(page.getByRole("list").filter({ hasText: "version 2" }).first()).toBeVisible();
});

test("a key's secret is shown once, and the key can be revoked", async ({ page }) => {
  const name = `Key ${crypto.randomUUID()}`;
  await page.goto(`${base}/profile`);
  await page.getByLabel("Key name").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Secret")).toHaveValue(/^ek_/);
  await page.getByRole("link", { name: `Revoke ${name}` }).click();
  await expect(page.getByLabel("Secret")).toHaveCount(0);
  const dialog = page.getByRole("dialog");
  const key = dialog.locator("input[name=id]");
  const id = await key.inputValue();
  await setValue(key, "");
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Unknown ID");
  await setValue(key, id);
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("API key revoked.")).toBeVisible();
  await expect(page.getByRole("link", { name: `Revoke ${name}` })).toHaveCount(0);
});
