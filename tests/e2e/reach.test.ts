import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("an advertiser sees how many people the audiences of a draft reach, each counted once", async ({ page }, {
  project,
}) => {
  const scripting = project.name === "scripting";
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill("Reach");
  await page.getByRole("button", { name: "Step 3", exact: false }).first().click();
  await expect(page.getByText("Choose audiences to see your estimated reach.")).toBeVisible();
  const update = async () => {
    if (!scripting) await page.getByRole("button", { name: "Update estimate" }).click();
  };
  // 84,312 people; with 212,440 others of the same publisher some of them are the same.
  await page.getByRole("checkbox", { name: /^Weekend hikers/ }).check();
  await update();
  const figure = page.locator(".reach-figure");
  await expect(figure).toHaveText("50,000 – 100,000");
  await expect(page.getByText("people, without duplicates")).toBeVisible();
  await page.getByRole("checkbox", { name: /^Gift shoppers/ }).check();
  await update();
  // Some of 50,000 – 100,000 and 100,000 – 250,000 are the same people.
  await expect(figure).toHaveText(/^1[0-5]0,000 – (2[5-9]|3[0-4])0,000$/);
  await expect(page.getByText("2 selected")).toBeVisible();
  await expect(page.getByRole("button", { name: "Update estimate" })).toHaveCount(scripting ? 0 : 1);
});

test("a publisher sees the reach while creating a campaign for an advertiser", async ({ page }, { project }) => {
  await page.goto("/publisher/test-mode/campaigns/create-for-advertiser");
  await page.getByLabel("Campaign name").fill("Reach for another");
  await page.getByRole("checkbox", { name: /^Weekend hikers.*Harbor Goods.*50,000/ }).check();
  if (project.name !== "scripting") await page.getByRole("button", { name: "Update estimate" }).click();
  await expect(page.locator(".reach-figure")).toHaveText("50,000 – 100,000");
  await expect(page.getByLabel("Campaign name")).toHaveValue("Reach for another");
  await expect(page.getByRole("checkbox", { name: /^Weekend hikers/ })).toBeChecked();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
