import { expect } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { findLayoutFaults } from "#tests/support/browser/layout-faults.ts";
import { setValue } from "#tests/support/browser/set-value.ts";
import { test } from "#tests/support/browser/test.ts";
import { startWebhookReceiver } from "#tests/support/fakes/webhook-receiver.ts";

test("a webhook is added, tested, inspected, resent and removed", async ({ page }, { project }) => {
  const receiver = await startWebhookReceiver();
  const isAccessible = async () => {
    if (project.name === "scripting") expect(await findViolations(page)).toEqual([]);
  };
  try {
    await page.goto("/publisher/test-mode/webhooks");
    await page.getByLabel("Endpoint URL").fill(receiver.url);
    await page.getByRole("button", { name: "Add webhook" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose at least one event");
    await expect(page.getByLabel("Endpoint URL")).toHaveValue(receiver.url);
    await page.getByLabel("Payout paid").check();
    await page.getByRole("button", { name: "Add webhook" }).click();
    await expect(page.getByLabel("Secret")).toHaveValue(/^whsec_/);
    const short = receiver.url.replace("http://", "");
    await page.getByRole("link", { name: short }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${new URL(receiver.url).host} Active`);
    await expect(page.locator(".page-header")).toContainText(receiver.url);
    await expect(page.getByText("No events sent yet")).toBeVisible();

    await page.getByRole("button", { name: "Send test event" }).click();
    const row = page.getByRole("row", { name: "webhook.test" });
    await expect(row).toContainText("Delivered", { timeout: 15_000 });
    await isAccessible();
    receiver.mood.answer = 500;
    await row.getByRole("button", { name: "Resend webhook.test" }).click();
    await expect(row).toContainText("Retry scheduled", { timeout: 15_000 });
    await expect(row).toContainText("500");
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);

    receiver.mood.answer = "cut";
    await row.getByRole("button", { name: "Resend webhook.test" }).click();
    await expect(row).toContainText("Your server could not be reached", { timeout: 15_000 });
    expect(await findLayoutFaults(page, [390, 1280])).toEqual([]);
    await page.reload();

    await page.getByRole("link", { name: "Rotate secret" }).click();
    await isAccessible();
    const rotate = page.getByRole("dialog").getByRole("button", { name: "Rotate secret" });
    await rotate.click();
    await expect(page.getByLabel("New secret")).toHaveValue(/^whsec_/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("The previous secret signs events until")).toBeVisible();
    await isAccessible();
    await page.getByRole("link", { name: "Rotate secret" }).click();
    await expect(page.getByRole("dialog", { name: "Rotate the secret again?" })).toBeVisible();
    await page.getByRole("link", { name: "Keep secret" }).click();
    await expect(page.getByLabel("New secret")).toHaveCount(0);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel("Sort by").selectOption("Highest response");
    if (project.name === "no-scripting") await page.getByRole("button", { name: "Sort" }).click();
    await expect(page).toHaveURL(/\?sort=response$/);
    await expect(row).toContainText("Retry scheduled");

    await row.getByRole("link", { name: "webhook.test" }).click();
    const dialog = page.getByRole("dialog", { name: "webhook.test" });
    await expect(dialog).toContainText(receiver.received[0]?.body ?? "a body");
    await isAccessible();
    await dialog.getByRole("link", { name: "Close dialog" }).click();
    await page.getByRole("link", { name: "Remove" }).click();
    const remove = page.getByRole("dialog").getByRole("button", { name: "Remove webhook" });
    await setValue(remove, "unknown");
    await remove.click();
    await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
    await setValue(remove, "remove");
    await remove.click();
    await expect(page).toHaveURL(/\/publisher\/test-mode\/webhooks$/);
    await expect(page.getByRole("link", { name: short })).toHaveCount(0);
  } finally {
    await receiver.stop();
  }
});
