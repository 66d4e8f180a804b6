import { expect } from "@playwright/test";
import { uniqueName } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";
import { makePng } from "#tests/support/media-files.ts";

const svg = { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg xmlns='x'/>") };

test("creatives of a campaign are uploaded, previewed in each format, enable products, and are deleted", async ({
  page,
}, { project }) => {
  const scripting = project.name === "scripting";
  const name = `${uniqueName("wide")}.png`;
  const buffer = makePng({ width: 3_000, height: 2_000, seed: Math.ceil(Math.random() * 1e6) });
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill("Seen before it runs");
  await page.getByRole("button", { name: "Next: Ad Format & Creative" }).click();
  await page.getByRole("radio", { name: "Social" }).check();
  await expect(page.getByText("Add a creative first")).toBeVisible();

  const upload = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    await page.getByLabel("Upload creatives").setInputFiles(files);
    if (!scripting) await page.getByRole("button", { name: "Upload", exact: true }).click();
  };
  await upload({ name, mimeType: "image/png", buffer }, svg);
  await expect(page.locator(".file-error")).toHaveText(/^drawing\.svg: This is an SVG image/);
  await expect(page.getByRole("checkbox", { name })).toBeChecked();
  await expect(page.getByText("1 creative selected")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Cairn Mid Boot" })).toBeVisible();
  // Uploading the same file again returns the existing creative.
  await page.getByRole("checkbox", { name }).uncheck();
  await upload({ name: "again.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("checkbox", { name })).toBeChecked();
  const preview = page.getByRole("img", { name: `Creative ${name}` });
  await expect(preview).toBeVisible();
  expect(await preview.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
    3_000,
  );
  await expect(page.locator(".ad-social")).toBeVisible();
  await page.getByRole("radio", { name: "Native" }).check();
  if (scripting) await expect(page.locator(".ad-native")).toBeVisible();
  await page.getByRole("button", { name: "Next: Audience & Targeting" }).click();
  await page.getByRole("link", { name: "Review & Launch" }).click();
  await expect(page.getByText("1 creative", { exact: true })).toBeVisible();
  await expect(page.locator(".ad-native").getByRole("img", { name: `Creative ${name}` })).toBeVisible();

  await page.getByRole("link", { name: "Creatives", exact: true }).click();
  await page.getByRole("link", { name: `Delete ${name}` }).click();
  await page.getByRole("button", { name: "Delete creative" }).click();
  await expect(page.getByText(`“${name}” deleted`)).toBeVisible();
  await expect(page.getByRole("link", { name: `Open ${name}` })).toHaveCount(0);
});
