import { expect, type Page } from "@playwright/test";
import { fillWizard, newPageAs, reviewInDialog, uniqueName } from "#tests/support/browser/browser-users.ts";
import { launchCampaign } from "#tests/support/browser/launched-campaigns.ts";
import { test } from "#tests/support/browser/test.ts";

test("from the wizard through a publisher's approval to pause and resume, from both sides", async ({ browser }) => {
  const advertiser = await newPageAs(browser, "advertiser@example.com");
  const publisher = await newPageAs(browser, "publisher@example.com");
  const name = uniqueName("Packs for the long way");
  await fillWizard(advertiser, { name, audiences: ["Weekend hikers"] });
  await expect(advertiser.getByText("$5,000.00", { exact: true })).toBeVisible();
  await advertiser.getByRole("button", { name: "Launch Campaign" }).click();
  await expect(advertiser).toHaveURL(/\/thank-you\/campaign-created\?campaign=/);
  await advertiser.getByRole("link", { name: "View Campaign" }).click();
  await expect(advertiser.getByRole("heading", { level: 1 })).toContainText(`${name} Pending`);

  await reviewInDialog(publisher, { name, answer: "Approve", notes: "A good fit." });

  await advertiser.reload();
  await expect(advertiser.getByRole("heading", { level: 1 })).toContainText(`${name} Active`);
  await expect(advertiser.getByText("A good fit.").first()).toBeVisible();

  await clickAction(advertiser, `/advertiser/campaigns?q=${name}`, `Pause ${name}`);
  await expectState(advertiser, name, "Paused");
  await publisher.goto("/publisher/campaigns");
  await expect(row(publisher, name)).toContainText("Paused by the advertiser");
  await clickAction(advertiser, `/advertiser/campaigns?q=${name}`, `Resume ${name}`);
  await expectState(advertiser, name, "Active");

  await clickAction(publisher, "/publisher/campaigns", `Pause ${name}`);
  await expect(row(publisher, name)).toContainText("Paused");
  await clickAction(publisher, "/publisher/campaigns", `Resume ${name}`);
  await expect(row(publisher, name).getByRole("button", { name: `Pause ${name}` })).toBeVisible();
});

test("rejected by both publishers, edited and launched again, and then decided by each separately", async ({
  browser,
}) => {
  const advertiser = await newPageAs(browser, "advertiser@example.com");
  const publisher = await newPageAs(browser, "publisher@example.com");
  const other = await newPageAs(browser, "second-publisher@example.com");
  const name = uniqueName("Boots on two shelves");
  const id = await launchCampaign(advertiser.request, name, ["Weekend hikers", "Specialty coffee drinkers"]);
  const review = async ({ request }: Page, action: "approve" | "reject", notes: string) =>
    expect((await request.post(`/api/campaigns/${id}/approve`, { data: { action, notes } })).status()).toBe(200);
  await reviewInDialog(publisher, { name, answer: "Reject", notes: "The landing page is slow." });
  await review(other, "reject", "The budget is too small.");

  await advertiser.goto(`/advertiser/campaigns?q=${name}`);
  await expect(row(advertiser, name)).toContainText("Draft");
  await advertiser.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(advertiser.getByText("The landing page is slow.")).toBeVisible();
  await expect(advertiser.getByText("The budget is too small.")).toBeVisible();
  const wizard = new URL(advertiser.url()).pathname;
  await advertiser.goto(`${wizard}?step=5`);
  await advertiser.getByLabel("Total budget").fill("8000");
  await advertiser.getByRole("button", { name: "Next: Review & Launch" }).click();
  await advertiser.getByRole("button", { name: "Launch Campaign" }).click();
  await expect(advertiser).toHaveURL(/\/thank-you\/campaign-created\?campaign=/);

  await review(other, "approve", "Better now.");
  await advertiser.goto(`/advertiser/campaigns?q=${name}`);
  await expect(row(advertiser, name)).toContainText("Active");
  await review(publisher, "reject", "Still slow.");
  await advertiser.goto(`/advertiser/campaigns?q=${name}`);
  await expect(row(advertiser, name)).toContainText("Active");
  await other.goto("/publisher/campaigns?filter=active");
  await expect(row(other, name)).toContainText("$8,000");
});

test("a launch that is not ready lists everything that is missing and links to the steps", async ({ browser }) => {
  const advertiser = await newPageAs(browser, "second-advertiser@example.com");
  await advertiser.goto("/advertiser/campaigns/create");
  await advertiser.getByRole("button", { name: "Next: Ad Format & Creative" }).click();
  await expect(advertiser).toHaveURL(/edit\?step=2$/);
  const wizard = new URL(advertiser.url()).pathname;
  await advertiser.goto(`${wizard}?step=6`);
  await expect(advertiser.getByText("Untitled Campaign").first()).toBeVisible();
  await expect(advertiser.getByText("Not selected").first()).toBeVisible();
  await advertiser.getByRole("button", { name: "Launch Campaign" }).click();
  for (const problem of [
    "Enter a campaign name",
    "Choose at least one audience",
    "Choose at least one channel",
    "Enter a budget greater than $0",
  ]) {
    await expect(advertiser.getByRole("link", { name: problem })).toBeVisible();
  }
  await advertiser.getByRole("link", { name: "Choose at least one audience" }).click();
  await expect(advertiser).toHaveURL(/step=3#selected_audiences$/);
});

/** The table row of a campaign; on the wide screen of these tests. */
function row(page: Page, name: string) {
  return page.getByRole("row").filter({ hasText: name });
}

/** With scripting the new state appears before the response, so the test waits for the response. */
async function clickAction(page: Page, path: string, button: string) {
  await page.goto(path);
  const responded = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: button }).click();
  await responded;
}

async function expectState(page: Page, name: string, state: string) {
  await expect(row(page, name)).toContainText(state);
}
