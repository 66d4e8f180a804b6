import { expect } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { uniqueName } from "#tests/support/browser/browser-users.ts";
import { launchCampaign, signInToApi } from "#tests/support/browser/launched-campaigns.ts";
import { test } from "#tests/support/browser/test.ts";

test("a campaign is archived from its row, is in the archived list alone, and comes back by Undo and by Restore", async ({
  page,
  browser,
  javaScriptEnabled,
}) => {
  const name = uniqueName("Shelved");
  const advertiser = await signInToApi(browser, "advertiser@example.com");
  const { campaign } = await (await advertiser.post("/api/campaigns", { data: { name } })).json();
  const list = `/advertiser/test-mode/campaigns?q=${encodeURIComponent(name)}`;
  const row = page.getByRole("row").filter({ hasText: name });
  const messages = page.getByRole("region", { name: "Messages" });
  const archive = async () => {
    await page.goto(list);
    const menu = row.locator("summary");
    const item = row.getByRole("button", { name: "Archive" });
    await expect(async () => {
      if (!(await item.isVisible())) await menu.click();
      await expect(item).toBeVisible({ timeout: 500 });
    }).toPass();
    await item.click();
    await expect(messages.getByText(`“${name}” archived`)).toBeVisible();
    await expect(page.getByText("No campaigns found")).toBeVisible();
  };

  await archive();
  await messages.getByRole("button", { name: "Undo" }).click();
  await expect(messages.getByText(`“${name}” restored`)).toBeVisible();
  await expect(row).toBeVisible();

  await archive();
  await page.goto(`${list}&status=archived`);
  await expect(row.getByText(/^Archived [A-Z]/).filter({ visible: true })).toBeVisible();
  if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);
  await row.getByRole("link", { name, exact: true }).click();
  await expect(page.getByText("This campaign is archived")).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeHidden();
  if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);
  await page.goto(`/advertiser/test-mode/campaigns/${campaign.id}/edit`);
  await expect(page.getByText("This campaign is archived. Restore it first.")).toBeVisible();
  await page.getByRole("button", { name: "Restore campaign" }).click();
  await expect(messages.getByText(`“${name}” restored`)).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeVisible();
});

test("the bulk bar archives what it can and counts what still runs or is reviewed", async ({ page, browser }) => {
  const name = uniqueName("Bulk shelf");
  const advertiser = await signInToApi(browser, "advertiser@example.com");
  await advertiser.post("/api/campaigns", { data: { name: `${name} draft` } });
  await launchCampaign(advertiser, `${name} pending`);
  await page.goto(`/advertiser/test-mode/campaigns?q=${encodeURIComponent(name)}`);
  for (const end of ["draft", "pending"]) await page.getByRole("checkbox", { name: `Select ${name} ${end}` }).check();
  const bar = page.getByRole("form", { name: "Selected campaigns" });
  await bar.getByRole("button", { name: "Archive selected campaigns" }).click();
  await expect(
    page.getByText(
      "1 of 2 campaigns archived. 1: A publisher is reviewing this campaign. Archive it after the decision.",
    ),
  ).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: `${name} draft` })).toBeHidden();
  await page.goto(`/advertiser/test-mode/campaigns?status=archived&q=${encodeURIComponent(name)}`);
  await page.getByRole("checkbox", { name: `Select ${name} draft` }).check();
  await bar.getByRole("button", { name: "Restore selected campaigns" }).click();
  await expect(page.getByText("1 campaign restored")).toBeVisible();
});
