import { expect, type Page } from "@playwright/test";
import { newPageAs, reviewInDialog, uniqueName } from "#tests/support/browser/browser-users.ts";
import { launchCampaign } from "#tests/support/browser/launched-campaigns.ts";
import { test } from "#tests/support/browser/test.ts";
import { openAsNew } from "#tests/support/forms/form-openers.ts";

/** Opens the newest mail of that subject and clicks its button, as a reader would: the link opens a page of its own. */
async function follow(page: Page, subject: string, button: string): Promise<Page> {
  await page.goto("/dev/mailbox");
  await page.getByRole("link", { name: subject }).first().click();
  const mail = page.frameLocator("iframe");
  await expect(mail.getByRole("heading", { level: 1 })).toHaveText(subject);
  const opened = page.waitForEvent("popup");
  await mail.getByRole("link", { name: button }).click();
  return opened;
}

test("an email's link leads a signed-out person through sign-in to its decision, and later says that it was made", async ({
  browser,
}) => {
  const advertiser = await newPageAs(browser, "advertiser@example.com");
  const name = uniqueName("Asked by mail");
  await launchCampaign(advertiser.request, name);

  const reader = await (await browser.newContext()).newPage();
  const subject = `Northwind Outdoors sent “${name}” for review`;
  const reviewPage = await follow(reader, subject, "Review campaign");
  await expect(reviewPage).toHaveURL(/\/publisher\/login\?redirectTo=/);
  await reviewPage.getByRole("button", { name: "Continue with Google" }).click();
  await reviewPage.getByRole("button", { name: "publisher@example.com" }).first().click();
  const dialog = reviewPage.getByRole("dialog", { name: "Campaign Details" });
  await expect(dialog.getByRole("heading", { name })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Approve" })).toBeVisible();
  const link = reviewPage.url();

  await reviewInDialog(reviewPage, { name, answer: "Approve", notes: "Seen in the mail." });
  await reviewPage.goto(link);
  await expect(dialog.getByText("Seen in the mail.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Approve" })).toHaveCount(0);

  await advertiser.goto(link);
  await expect(advertiser.getByText("Access denied. This portal is for publishers only.")).toBeVisible();
  const campaignPage = await follow(advertiser, `Harbor Goods approved “${name}”`, "View campaign");
  await expect(campaignPage.getByRole("heading", { level: 1 })).toContainText(`${name} Active`);
});

test("email settings that were opened before a change elsewhere are saved without what their person left as it was", async ({
  page,
  context,
}) => {
  await openAsNew(page, "advertiser", "/profile");
  const paused = (of: Page) => of.getByRole("checkbox", { name: "Campaign paused" });
  const later = await context.newPage();
  await later.goto("/advertiser/profile");
  await paused(later).uncheck();
  await later.getByRole("button", { name: "Save email settings" }).click();
  await expect(later.getByText("Email settings saved")).toBeVisible();

  await expect(paused(page)).toBeChecked();
  await page.getByRole("checkbox", { name: "Campaign resumed" }).uncheck();
  await page.getByRole("button", { name: "Save email settings" }).click();
  await expect(page.getByText("Email settings saved")).toBeVisible();
  await page.reload();
  await expect(paused(page)).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Campaign resumed" })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Campaign completed" })).toBeChecked();
});
