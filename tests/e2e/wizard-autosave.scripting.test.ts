import { expect, type Page } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { newPageAs, signIn, uniqueName, wizardOfNewCampaign } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { test } from "#tests/support/browser/test.ts";
import { makePng } from "#tests/support/media-files.ts";

const status = (page: Page) => page.getByRole("status").filter({ hasText: /aved/ });

/**
 * The campaigns of test mode's advertiser whose name contains the text. They are read by a call, and the page stays
 * signed in as that advertiser.
 */
async function findCampaigns(page: Page, text: string): Promise<unknown[]> {
  await signIn(page, "advertiser@example.com");
  return (await (await page.request.get("/api/campaigns", { params: { q: text } })).json()).campaigns;
}

const lose = (page: Page) => page.route("**/campaigns/autosave?*", (route) => route.abort("internetdisconnected"));

test("a step saves itself: a reload, a link or Back loses nothing, and the history has one entry", async ({
  browser,
}) => {
  const page = await newPageAs(browser, "second-advertiser@example.com");
  const name = uniqueName("Saved while typed");
  await page.goto("/advertiser/campaigns/create");
  await page.getByLabel("Campaign name").pressSequentially(name, { delay: 20 });
  await expect(status(page)).toHaveText("Saved");
  await expect(page).toHaveURL(/campaigns\/[\w-]+\/edit\?step=1$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.reload();
  await expect(page.getByLabel("Campaign name")).toHaveValue(name);
  const wizard = new URL(page.url()).pathname;

  await page.getByRole("radio", { name: "Traffic" }).check();
  await page.getByRole("navigation").getByRole("link", { name: "My Campaigns" }).first().click();
  await expect(page).toHaveURL(/\/advertiser\/campaigns$/);
  await page.goBack();
  await expect(page.getByRole("radio", { name: "Traffic" })).toBeChecked();
  await expect(page.getByRole("link", { name: "Step 1: Campaign Setup, complete" })).toBeVisible();

  await page.getByRole("link", { name: "Step 5: Budget & Schedule, not started" }).click();
  await page.getByLabel("Total budget").fill("100");
  await page.getByLabel("Daily budget").fill("200");
  await page.getByLabel("Daily budget").press("Tab");
  await expect(page.getByLabel("Daily budget")).toHaveAccessibleDescription(/can't exceed the total budget/);
  await page.getByLabel("Daily budget").fill("20");
  await expect(page.getByLabel("Daily budget")).not.toHaveAttribute("aria-invalid");
  await expect(page.getByRole("link", { name: "Step 5: Budget & Schedule, 2 to do" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save and exit" }).click();
  await expect(page.getByText("Changes saved")).toBeVisible();

  await page.goto(wizard.replace(/\/edit$/, ""));
  const history = page.locator(".timeline li");
  await expect(history).toHaveCount(3);
  await expect(history.first()).toContainText("$20.00");
  await expect(history.nth(1)).toContainText(name);
});

test("a response that arrives after its step was left changes neither the URL nor the step", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns/create");
  let answerLate: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  await page.route("**/campaigns/autosave?*", async (route) => {
    const response = await route.fetch();
    await left;
    await route.fulfill({ response });
  });
  const requested = page.waitForRequest(/\/campaigns\/autosave\?/);
  const responded = page.waitForResponse(/\/campaigns\/autosave\?/);
  await page.getByLabel("Campaign name").fill(uniqueName("Saved late"));
  await requested;
  await page.getByRole("button", { name: "Step 5: Budget & Schedule" }).click();
  await expect(page).toHaveURL(/step=5$/);
  const stepper = page.getByRole("navigation", { name: "Steps" });
  // The URL changes before the step is shown.
  await expect(stepper.locator("[aria-current=step]")).toContainText("Budget & Schedule");
  const states = await stepper.textContent();
  answerLate();
  await (await responded).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await expect(page).toHaveURL(/step=5$/);
  await expect(stepper).toHaveText(states ?? "");
});

test("a press on Next reaches it, although leaving the field saves and shows so above it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 1200 });
  // Only leaving the field saves it: a slow machine would take longer to press than the pause in typing.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const wait = (run: () => void, ms?: number) => setTimeout(run, ms === 800 ? 90_000 : ms);
    Object.assign(window, { setTimeout: wait });
  });
  await page.goto("/advertiser/test-mode/campaigns/create");
  // A name in one line: what a second one adds would hide that the line of the status is missing.
  await page.getByLabel("Campaign name").fill("Pressed");
  const saved = page.waitForResponse(/\/campaigns\/autosave\?/);
  await page.getByRole("button", { name: "Next" }).hover();
  await page.mouse.down();
  await (await saved).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await page.mouse.up();
  await expect(page).toHaveURL(/step=2$/);
});

test("without a connection the input stays, leaving asks, and it is saved when the connection is back", async ({
  page,
}) => {
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill("Before the tunnel");
  await expect(status(page)).toHaveText("Saved");
  await lose(page);
  const name = uniqueName("In the tunnel");
  await page.getByLabel("Campaign name").fill(name);
  await expect(status(page)).toHaveText("Not saved: no connection. Your input stays here");
  const link = page.getByRole("navigation").getByRole("link", { name: "My Campaigns" }).first();
  await link.click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(dialog).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("Campaign name")).toHaveValue(name);

  const dialogEvent = page.waitForEvent("dialog");
  const closed = page.close({ runBeforeUnload: true });
  const prompt = await dialogEvent;
  expect(prompt.type()).toBe("beforeunload");
  await prompt.dismiss();
  await closed;

  await page.unroute("**/campaigns/autosave?*");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(status(page)).toHaveText("Saved");
  await link.click();
  await expect(page).toHaveURL(/\/campaigns$/);
  expect(await findCampaigns(page, name)).toHaveLength(1);
});

test("a save on a connection that hangs fails after a while, and leaving asks", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.route("**/campaigns/autosave?*", () => new Promise(() => undefined));
  const name = uniqueName("In the lift");
  await page.getByLabel("Campaign name").fill(name);
  await page.getByRole("navigation").getByRole("link", { name: "My Campaigns" }).first().click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByLabel("Campaign name")).toHaveValue(name);
});

test("a Next that was lost is no longer reported once its step is saved", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill(uniqueName("Before the bridge"));
  await page.getByRole("radio", { name: "Traffic" }).check();
  await expect(status(page)).toHaveText("Saved");
  await page.context().setOffline(true);
  await page.getByLabel("Campaign name").fill(uniqueName("Under the bridge"));
  await expect(status(page)).toHaveText("Not saved: no connection. Your input stays here");
  await page.getByRole("button", { name: /^Next/ }).click();
  await expect(page.getByText("You are offline")).toBeVisible();
  await page.context().setOffline(false);
  await expect(status(page)).toHaveText("Saved");
  await expect(page.getByText("You are offline")).toBeHidden();
});

/** Opens the step of the creatives of a new campaign. Returns a new creative's file. */
async function openCreativeStep(page: Page) {
  await page.goto(`${await wizardOfNewCampaign(page, uniqueName("Creatives"))}?step=2`);
  const buffer = makePng({ width: 300, height: 250, seed: Math.ceil(Math.random() * 1e9) });
  return { name: `${uniqueName("box")}.png`, mimeType: "image/png", buffer };
}

test("a save from before an upload leaves its creative selected, however late it arrives", async ({ page }) => {
  const file = await openCreativeStep(page);
  const release = await holdBack(page, "**/campaigns/autosave?*", "POST");
  const sent = page.waitForRequest(/\/campaigns\/autosave\?/);
  await page.getByRole("radio", { name: "Social" }).check();
  const early = await sent;
  await page.getByLabel("Upload creatives").setInputFiles(file);
  const creative = page.getByRole("checkbox", { name: file.name });
  await expect(creative).toBeChecked();
  release();
  await early.response();
  await expect(status(page)).toHaveText("Saved");
  await page.reload();
  await expect(creative).toBeChecked();
  await expect(page.getByRole("radio", { name: "Social" })).toBeChecked();
});

test("what is chosen while an uploaded creative is being selected is saved with it", async ({ page }) => {
  const file = await openCreativeStep(page);
  const release = await holdBack(page, "**/edit.data*", "POST");
  const selected = page.waitForRequest((request) => /edit\.data/.test(request.url()) && request.method() === "POST");
  await page.getByLabel("Upload creatives").setInputFiles(file);
  await selected;
  const saved = page.waitForResponse(/\/campaigns\/autosave\?/);
  await page.getByRole("radio", { name: "Native" }).check();
  await saved;
  release();
  const creative = page.getByRole("checkbox", { name: file.name });
  await expect(creative).toBeChecked();
  await page.reload();
  await expect(creative).toBeChecked();
  await expect(page.getByRole("radio", { name: "Native" })).toBeChecked();
});

for (const { step, part, label, value } of [
  { step: 3, part: "audience-step", label: "Period", value: "week" },
  { step: 5, part: "budget-step", label: "Pacing", value: "asap" },
]) {
  test(`${label} chosen before the script of its step arrives is saved`, async ({ page }) => {
    const url = `${await wizardOfNewCampaign(page, uniqueName("Early"))}?step=${step}`;
    const release = await holdBack(page, `**/assets/${part}-*`, "GET");
    await page.goto(url, { waitUntil: "commit" });
    const select = page.getByLabel(label, { exact: true });
    await select.selectOption(value);
    release();
    await expect(status(page)).toHaveText("Saved");
    await page.getByRole("link", { name: "Step 6: Review & Launch" }).click();
    await expect(page).toHaveURL(/step=6$/);
    await page.goto(url);
    await expect(select).toHaveValue(value);
  });
}

/** Opens a new campaign with a name, and returns the name. */
async function nameCampaign(page: Page): Promise<string> {
  const name = uniqueName("Named once");
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill(name);
  return name;
}

async function expectOneCampaign(page: Page, name: string) {
  await page.getByRole("button", { name: /^Next/ }).click();
  await expect(page).toHaveURL(/edit\?step=2$/);
  expect(await findCampaigns(page, name)).toHaveLength(1);
}

const banner = (page: Page) => page.getByRole("complementary", { name: "Test mode" });

test("a form of the layout returns to the draft of a new campaign, and Next makes no second one", async ({ page }) => {
  const name = await nameCampaign(page);
  await expect(status(page)).toHaveText("Saved");
  await banner(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(banner(page)).toBeHidden();
  await expect(page).toHaveURL(/campaigns\/[\w-]+\/edit\?step=1$/);
  await expect(page.getByLabel("Campaign name")).toHaveValue(name);
  await expectOneCampaign(page, name);
});

test("a form of the layout that is sent before a new campaign's first save leads to no second one", async ({
  page,
}) => {
  const name = await nameCampaign(page);
  const release = await holdBack(page, "**/campaigns/autosave?*");
  await banner(page).getByRole("button", { name: "Dismiss" }).click();
  release();
  await expect(banner(page)).toBeHidden();
  await expect(page.getByLabel("Campaign name")).toHaveValue(name);
  await expectOneCampaign(page, name);
});

test("a theme chosen after a new campaign's first save shows its draft", async ({ page }) => {
  const name = await nameCampaign(page);
  await expect(status(page)).toHaveText("Saved");
  await page.getByLabel(/: account$/).click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html[data-theme=dark]")).toHaveCount(1);
  await expect(page.getByLabel("Campaign name")).toHaveValue(name);
});
