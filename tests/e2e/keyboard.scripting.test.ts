import { expect } from "@playwright/test";
import { newPageAs, uniqueName } from "#tests/support/browser/browser-users.ts";
import { check, choose, press, type } from "#tests/support/browser/keyboard.ts";
import { launchCampaign, signInToApi } from "#tests/support/browser/launched-campaigns.ts";
import { test } from "#tests/support/browser/test.ts";

test("an advertiser creates and launches a campaign by keyboard only", async ({ browser }) => {
  const page = await newPageAs(browser, "advertiser@example.com");
  const name = uniqueName("By keyboard");
  const next = async (title: string) => {
    await press(page, page.getByRole("button", { name: `Next: ${title}` }));
    await expect(page.getByRole("link", { name: `: ${title}` })).toHaveAttribute("aria-current", "step");
  };
  await page.goto("/advertiser/dashboard");
  await press(page, page.getByRole("link", { name: "My Campaigns" }).first());
  // The dashboard has a link of the next name too.
  await expect(page).toHaveURL("/advertiser/campaigns");
  await press(page, page.getByRole("link", { name: "Create Campaign" }).first());
  await type(page, page.getByLabel("Campaign name"), name);
  await choose(page, page.getByRole("radio", { name: "Conversions" }));
  await next("Ad Format & Creative");
  await choose(page, page.getByRole("radio", { name: "Display" }));
  await type(page, page.getByLabel("Landing page"), "https://northwind-outdoors.example/packs");
  await check(page, page.getByRole("checkbox", { name: "pack.png" }));
  await next("Audience & Targeting");
  await check(page, page.getByRole("checkbox", { name: "Weekend hikers" }));
  await check(page, page.getByRole("checkbox", { name: "United States" }));
  await next("Channel Selection");
  await choose(page, page.getByRole("radio", { name: "DSP" }));
  await check(page, page.getByRole("checkbox", { name: "The Trade Desk" }));
  await next("Budget & Schedule");
  await type(page, page.getByLabel("Total budget"), "5000");
  await type(page, page.getByLabel("Daily budget"), "250");
  const date = (days: number) => {
    const [year, month, day] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split("-");
    return `${month}${day}${year}`;
  };
  await type(page, page.getByLabel("Start date"), date(1));
  await type(page, page.getByLabel("End date"), date(20));
  await next("Review & Launch");
  await press(page, page.getByRole("button", { name: "Launch Campaign" }));
  await expect(page).toHaveURL(/thank-you/);
});

test("a publisher uploads an audience and approves a campaign by keyboard only", async ({ page, browser }) => {
  const campaign = uniqueName("To approve");
  await launchCampaign(await signInToApi(browser, "advertiser@example.com"), campaign);
  await page.goto("/publisher/test-mode");
  await press(page, page.getByRole("link", { name: "Upload Audiences" }).first());
  await press(page, page.getByRole("link", { name: "Upload Audience", exact: true }));
  const audience = uniqueName("Keyboard audience");
  await type(page, page.getByLabel("Audience name"), audience);
  await type(page, page.getByLabel("Segment"), "Frequent");
  const chooser = page.waitForEvent("filechooser");
  await press(page, page.getByLabel("Customer files"));
  await (await chooser).setFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Email\nann@example.com\n"),
  });
  await press(page, page.getByRole("button", { name: "Create Audience" }));
  await expect(page).toHaveURL(/thank-you\/audience-uploaded/);

  await press(page, page.getByRole("link", { name: "Manage Audiences" }));
  await press(page, page.getByRole("link", { name: /Campaign Approval/ }).first());
  await press(page, page.getByRole("link", { name: `Review Details of ${campaign}` }));
  await expect(page.getByRole("dialog", { name: "Campaign Details" })).toBeVisible();
  await type(page, page.getByLabel("Approval Notes (Optional)"), "Glad to");
  await press(page, page.getByRole("button", { name: "Approve" }));
  await expect(page.getByText(`You approved “${campaign}”`)).toBeVisible();
});
