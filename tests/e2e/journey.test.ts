import { expect, type Page, test } from "@playwright/test";
import { asPerson, decide, fillWizard, uniqueName } from "#tests/support/browser-actors.ts";

test("from the wizard over a publisher's yes to pause and resume, from both sides", async ({ browser }) => {
  const advertiser = await asPerson(browser, "advertiser@example.com");
  const publisher = await asPerson(browser, "publisher@example.com");
  const name = uniqueName("Packs for the long way");
  await fillWizard(advertiser, { name, audiences: ["Weekend hikers"] });
  await expect(advertiser.getByText("$5,000.00", { exact: true })).toBeVisible();
  await advertiser.getByRole("button", { name: "Launch Campaign" }).click();
  await expect(advertiser).toHaveURL(/\/thank-you\/campaign-created\?campaign=/);
  await advertiser.getByRole("link", { name: "View Campaign" }).click();
  await expect(advertiser.getByRole("heading", { level: 1 })).toContainText(`${name} Pending`);

  await decide(publisher, { name, answer: "Approve", notes: "A good fit." });

  await advertiser.reload();
  await expect(advertiser.getByRole("heading", { level: 1 })).toContainText(`${name} Active`);
  await expect(advertiser.getByText("A good fit.").first()).toBeVisible();

  await steer(advertiser, `/advertiser/campaigns?q=${name}`, `Pause ${name}`);
  await expectState(advertiser, name, "Paused");
  await publisher.goto("/publisher/campaigns");
  await expect(row(publisher, name)).toContainText("Paused by the advertiser");
  await steer(advertiser, `/advertiser/campaigns?q=${name}`, `Resume ${name}`);
  await expectState(advertiser, name, "Active");

  await steer(publisher, "/publisher/campaigns", `Pause ${name}`);
  await expect(row(publisher, name)).toContainText("Paused");
  await steer(publisher, "/publisher/campaigns", `Resume ${name}`);
  await expect(row(publisher, name).getByRole("button", { name: `Pause ${name}` })).toBeVisible();
});

test("rejected by both publishers, edited and launched again, and then decided by each for itself", async ({
  browser,
}) => {
  const advertiser = await asPerson(browser, "advertiser@example.com");
  const publisher = await asPerson(browser, "publisher@example.com");
  const other = await asPerson(browser, "second-publisher@example.com");
  const name = uniqueName("Boots on two shelves");
  await fillWizard(advertiser, { name, audiences: ["Weekend hikers", "Specialty coffee drinkers"] });
  await advertiser.getByRole("button", { name: "Launch Campaign" }).click();
  await expect(advertiser).toHaveURL(/\/thank-you\/campaign-created\?campaign=/);
  await decide(publisher, { name, answer: "Reject", notes: "The landing page is slow." });
  await decide(other, { name, answer: "Reject", notes: "The budget is too small." });

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

  await decide(other, { name, answer: "Approve", notes: "Better now." });
  await advertiser.goto(`/advertiser/campaigns?q=${name}`);
  await expect(row(advertiser, name)).toContainText("Active");
  await decide(publisher, { name, answer: "Reject", notes: "Still slow." });
  await advertiser.goto(`/advertiser/campaigns?q=${name}`);
  await expect(row(advertiser, name)).toContainText("Active");
  await other.goto("/publisher/campaigns?filter=active");
  await expect(row(other, name)).toContainText("$8,000");
});

test("a launch that is not ready says everything that is missing and leads to the steps that mend it", async ({
  browser,
}) => {
  const advertiser = await asPerson(browser, "second-advertiser@example.com");
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
    "Enter a budget above 0",
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

/** With scripting the new state is shown before the answer is there: so the answer is waited for. */
async function steer(page: Page, path: string, button: string) {
  await page.goto(path);
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: button }).click();
  await answered;
}

async function expectState(page: Page, name: string, state: string) {
  await expect(row(page, name)).toContainText(state);
}
