import { expect } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { launchCampaign, signInToApi } from "#tests/support/browser/launched-campaigns.ts";
import { test } from "#tests/support/browser/test.ts";

test("pausing a row far down does not scroll, shows its message in view, and can be undone there", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.clock.install();
  await page.goto("/advertiser/test-mode/campaigns");
  const pause = page.getByRole("button", { name: /^Pause / }).last();
  const name = ((await pause.getAttribute("aria-label")) ?? "").replace("Pause ", "");
  const row = page.getByRole("row").filter({ hasText: name });
  await pause.scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => scrollY);
  expect(at).toBeGreaterThan(0);
  await pause.click();
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages.getByText(`“${name}” paused`)).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(at);
  expect(await findViolations(page)).toEqual([]);

  // The message stays while the pointer is over it, and disappears some seconds later.
  await messages.getByText(`“${name}” paused`).hover();
  await page.clock.fastForward(60_000);
  await expect(messages.getByText(`“${name}” paused`)).toBeVisible();
  await messages.getByRole("button", { name: "Undo" }).click();
  await expect(messages.getByText(`“${name}” resumed`)).toBeInViewport({ ratio: 1 });
  await expect(row.getByRole("button", { name: /^Pause / })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(at);
  await page.mouse.move(5, 5);
  await page.clock.fastForward(20_000);
  await expect(messages.getByText(`“${name}” resumed`)).toBeHidden();
});

test("on a phone the sheet of a row's actions closes, so that the message and its Undo are at hand", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/advertiser/test-mode/campaigns?status=active");
  // Not the last row, which another test pauses at the same time.
  const row = page
    .getByRole("row")
    .filter({ has: page.getByText("Active", { exact: true }) })
    .first();
  await row.getByRole("button", { name: /^Actions for/ }).click();
  const pause = row.getByRole("button", { name: /^Pause / });
  const sheet = await row.locator(".row-actions").boundingBox();
  const button = await pause.boundingBox();
  expect(button?.width).toBeGreaterThan((sheet?.width ?? 0) - 40);
  await pause.click();
  await expect(pause).toBeHidden();
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages.getByText(/paused$/)).toBeInViewport({ ratio: 1 });
  await messages.getByRole("button", { name: "Undo" }).click();
  await expect(messages.getByText(/resumed$/)).toBeVisible();
});

test("a dialog returns the focus to what opened it", async ({ page, browser }) => {
  const name = `Focus ${crypto.randomUUID()}`;
  await launchCampaign(await signInToApi(browser, "advertiser@example.com"), name);
  await page.goto("/publisher/test-mode/approval");
  const opener = page.getByRole("link", { name: `Review Details of ${name}` });
  const dialog = page.getByRole("dialog", { name: "Campaign Details" });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("link", { name: "Close", exact: true }).click(),
  ]) {
    await opener.click();
    // Escape closes a modal dialog, which it becomes just after it shows.
    await expect(page.locator("dialog:modal")).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
  // A visit by URL has no opener; the link that leads there stands in for it.
  await opener.click();
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(page.locator("dialog:modal")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
  // The row of a decided campaign has gone, so the page has the focus, and Tab continues from there.
  await opener.click();
  await page.getByLabel("Approval Notes (Optional)").fill("Not now");
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText(`You rejected “${name}”`)).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
});

test("a click beside a dialog closes it only while nothing is entered in it", async ({ page, browser }) => {
  const name = `Beside ${crypto.randomUUID()}`;
  await launchCampaign(await signInToApi(browser, "advertiser@example.com"), name);
  await page.goto("/publisher/test-mode/approval");
  await page.getByRole("link", { name: `Review Details of ${name}` }).click();
  const notes = page.getByLabel("Approval Notes (Optional)");
  await notes.fill("Please use a quieter color");
  await page.mouse.click(5, 5);
  await page.waitForLoadState("networkidle");
  await expect(notes).toHaveValue("Please use a quieter color");
  await notes.fill("");
  await page.getByText("Rejection reasons").click();
  await page.getByLabel("Creative needs work").check();
  await page.mouse.click(5, 5);
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Creative needs work").uncheck();
  await page.mouse.click(5, 5);
  await expect(page.getByRole("dialog", { name: "Campaign Details" })).toBeHidden();
});

test("a review that is closed and opened again has the notes and reasons that were entered", async ({
  page,
  browser,
}) => {
  const name = `Again ${crypto.randomUUID()}`;
  await launchCampaign(await signInToApi(browser, "advertiser@example.com"), name);
  await page.goto("/publisher/test-mode/approval");
  const opener = page.getByRole("link", { name: `Review Details of ${name}` });
  const dialog = page.getByRole("dialog", { name: "Campaign Details" });
  const notes = dialog.getByLabel("Approval Notes (Optional)");
  const reason = dialog.getByLabel("Creative needs work");
  const withoutReason = dialog.getByLabel("Reject without a reason");
  await opener.click();
  await notes.fill("Please use a quieter color");
  await dialog.getByText("Rejection reasons").click();
  await reason.check();
  await withoutReason.check();
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("link", { name: "Close", exact: true }).click(),
    () => dialog.getByRole("link", { name: "Close dialog" }).click(),
    () => page.goBack(),
  ]) {
    await expect(page.locator("dialog:modal")).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await opener.click();
    await expect(notes).toHaveValue("Please use a quieter color");
    await expect(reason).toBeChecked();
    await expect(withoutReason).toBeChecked();
  }
  await expect(reason).toBeVisible();
  await withoutReason.uncheck();
  await reason.uncheck();
  await expect(reason).toBeVisible();
  await notes.fill("");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await opener.click();
  await expect(notes).toHaveValue("");
  await expect(reason).not.toBeChecked();
});

for (const { path, width } of [
  { path: "/advertiser/test-mode/analytics", width: 1280 },
  { path: "/advertiser/test-mode/dashboard", width: 1280 },
  { path: "/advertiser/test-mode/dashboard", width: 1000 },
]) {
  test(`the tiles of ${path} stay where they are at ${width} pixels while the pointer is over one`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(path);
    const tiles = page.locator(".tiles > .tile");
    const places = () => tiles.evaluateAll((all) => all.map((tile) => JSON.stringify(tile.getBoundingClientRect())));
    const before = await places();
    await page.locator(".tiles > a.tile").last().hover();
    await expect(page.locator(".tiles > link")).not.toHaveCount(0);
    expect(await places()).toEqual(before);
  });
}

test("the tiles of analytics mark the selected one and filters apply at once, and neither scrolls the page", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/advertiser/test-mode/analytics");
  const tile = page.locator("a.tile", { hasText: "Clicks" });
  await tile.scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => scrollY);
  expect(at).toBeGreaterThan(0);
  await tile.click();
  await expect(tile).toHaveAttribute("aria-current", "true");
  await expect(page.locator("a.tile[aria-current]")).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Clicks by day" })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(at);
  expect(await findViolations(page)).toEqual([]);

  const channel = page.getByRole("combobox", { name: "Channel" });
  await channel.focus();
  await channel.selectOption("dv360");
  await expect(page).toHaveURL(/channel=dv360/);
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute("href", /channel=dv360/);
  await expect(channel).toBeFocused();
  await page.getByRole("combobox", { name: "Date range" }).selectOption("custom");
  await expect(page.getByLabel("From")).toBeVisible();
  await expect(page).not.toHaveURL(/range=custom/);
});

test("files come first and can be dropped anywhere on their area", async ({ page }) => {
  await page.goto("/publisher/test-mode/audiences/create");
  const files = page.getByLabel("Customer files");
  const isBefore = () =>
    files.evaluate((input) => {
      const others = ["name", "encoding"].map((id) => document.getElementById(id));
      return others.every(
        (other) => other && input.compareDocumentPosition(other) === Node.DOCUMENT_POSITION_FOLLOWING,
      );
    });
  await expect.poll(isBefore).toBe(true);
  const drop = async (at: string, name: string, type: string) => {
    const data = await page.evaluateHandle(
      ([fileName, fileType]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["email\nann@example.com\n"], fileName, { type: fileType }));
        return transfer;
      },
      [name, type] as const,
    );
    await page.dispatchEvent(at, "drop", { dataTransfer: data });
  };
  await drop(".drop-zone .hint", "people.csv", "text/csv");
  expect(await files.evaluate((input) => (input instanceof HTMLInputElement ? input.files?.[0]?.name : ""))).toBe(
    "people.csv",
  );
  await page.goto("/publisher/test-mode/creatives");
  await drop(".drop-zone", "not-a-picture.png", "image/png");
  await expect(page.getByText(/^not-a-picture\.png: /)).toBeVisible();
});

test("a phone shows the rows of a list after two lines of filters, and a small card for each approval", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/advertiser/test-mode/campaigns");
  const head = await page.locator(".list-head").boundingBox();
  const row = await page.locator("tbody tr").first().boundingBox();
  expect(head?.height).toBeLessThan(120);
  expect(row?.y).toBeLessThan(400);
  await page.getByLabel("Search by name").fill("ridge");
  await page.getByLabel("Search by name").press("Enter");
  await expect(page).toHaveURL(/q=ridge/);
  await page.goto("/publisher/test-mode/approval");
  const card = await page.locator(".approval-card").first().boundingBox();
  expect(card?.height).toBeLessThan(320);
});

test("on a phone, a rejection without a reason shows what is missing, above the dialog's buttons", async ({
  page,
  browser,
}) => {
  const name = `Reject by phone ${crypto.randomUUID()}`;
  await launchCampaign(await signInToApi(browser, "advertiser@example.com"), name);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/publisher/test-mode/approval");
  await page.getByRole("link", { name: `Review Details of ${name}` }).click();
  await page.getByRole("button", { name: "Reject" }).click();
  const error = page.getByText("Choose a reason or write a note, so the advertiser knows what to change");
  const isOnTop = () =>
    error.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  await expect.poll(isOnTop).toBe(true);
});
