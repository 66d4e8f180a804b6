import { text } from "node:stream/consumers";
import { expect } from "@playwright/test";
import { setValue } from "#tests/support/browser/set-value.ts";
import { test } from "#tests/support/browser/test.ts";

test("a view of analytics is saved as a report, scheduled, sent to oneself, paused and deleted", async ({
  page,
  javaScriptEnabled,
}, { project }) => {
  const name = `Channels ${project.name}`;
  await page.goto("/advertiser/test-mode/analytics?range=30d&group=channel");
  await page.locator(".list-menu > summary").filter({ hasText: "Reports" }).click();
  await page.getByRole("link", { name: "Schedule", exact: true }).click();
  await page.getByRole("button", { name: "Save and schedule" }).click();
  await expect(page.getByText("Enter a name").first()).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Portal" }).locator("[aria-current]")).toHaveText("Analytics");
  await page.getByRole("textbox", { name: /^Name/ }).fill(name);
  await page.getByRole("button", { name: "Save and schedule" }).click();

  await expect(page.getByRole("heading", { name: "Schedule report" })).toBeVisible();
  await page.getByRole("radio", { name: "Monthly" }).check();
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await page.getByRole("checkbox", { name: /Maya Lindqvist/ }).uncheck();
  await page.getByRole("button", { name: "Schedule report" }).click();
  await expect(page.getByRole("heading", { name: "Schedule report" })).toBeVisible();
  await expect(page.getByRole("alert").first()).toContainText("Choose at least one person");
  await expect(page.getByRole("radio", { name: "Monthly" })).toBeChecked();
  await page.getByRole("checkbox", { name: /Maya Lindqvist/ }).check();
  await page.getByRole("button", { name: "Schedule report" }).click();

  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("8:00 AM, Europe/Berlin");
  await page.getByRole("button", { name: "Send to me now" }).click();
  await expect(page.getByRole("main")).not.toContainText("No emails yet");

  const report = page.url();
  await page.goto("/dev/mailbox");
  await page.getByRole("link", { name: `“${name}” is ready` }).click();
  const mail = page.frameLocator("iframe");
  await expect(mail.getByRole("heading", { level: 1 })).toHaveText(`“${name}” is ready`);
  await expect(mail.getByRole("row").filter({ hasText: "Impressions" })).toContainText(/[\d,]{4,}/);
  await expect(mail.getByText("The file is attached.")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: /^channels-.+\.csv$/ }).click();
  const file = await text(await (await downloading).createReadStream());
  expect(file).toMatch(/^Channel,Impressions,/);
  expect(file).toMatch(/^Total,\d/m);
  await expect(mail.getByRole("link", { name: "Change or stop this report" })).toHaveAttribute(
    "href",
    new URL(report).href,
  );
  await page.goto(report);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Report paused")).toBeVisible();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();

  await page.goto("/advertiser/test-mode/reports");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Paused");
  await row.getByRole("link", { name, exact: true }).click();
  if (javaScriptEnabled) await expect(page).toHaveURL(/reports\/[0-9a-f-]{36}$/);
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "Change schedule" }).click();
  await page.getByRole("link", { name: "Delete schedule" }).click();
  await dialog.getByRole("link", { name: "Keep schedule" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Delete schedule" }).click();
  await dialog.getByRole("button", { name: "Delete schedule" }).click();
  await expect(page.getByText("Schedule deleted")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Not scheduled", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Delete report" }).click();
  const remove = dialog.getByRole("button", { name: "Delete report" });
  await setValue(remove, "unknown");
  await remove.click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await setValue(remove, "delete");
  await remove.click();
  await expect(page).toHaveURL(/\/reports$/);
  await page.goto("/advertiser/test-mode/reports");
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(0);
});
