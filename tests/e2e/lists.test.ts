import { expect } from "@playwright/test";
import { newPageAs } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";

// By name: other tests create campaigns, which fill the first page of the newest.
const list = "/advertiser/test-mode/campaigns?sort=name";

test("the bulk bar appears with a selection, and its result counts what could not be done", async ({ page }) => {
  await page.goto(list);
  const bar = page.getByRole("form", { name: "Selected campaigns" });
  await expect(bar).toBeHidden();
  await page.getByRole("checkbox", { name: "Select Untitled Campaign" }).first().check();
  await page.getByRole("checkbox", { name: "Select Alpine Touring Preview" }).check();
  await expect(bar).toBeInViewport();
  const count = bar.locator(".bulk-count");
  expect(await count.evaluate((element) => getComputedStyle(element, "::before").content)).toContain(
    "counter(selected)",
  );
  expect(await bar.getByRole("button").allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringContaining("Pause"), expect.stringContaining("Export CSV")]),
  );
  const download = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("campaigns.csv");
  await bar.getByRole("button", { name: "Resume" }).click();
  await expect(
    page.getByText("0 of 2 campaigns resumed. 2: This campaign is draft and can't be resumed"),
  ).toBeVisible();
});

test("a search field beside three selects has room for its placeholder", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/publisher/test-mode/audiences");
  const room = await page.getByPlaceholder("Search by name").evaluate((input: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(input);
    const ruler = document.createElement("canvas").getContext("2d");
    if (!ruler) throw new Error("No canvas");
    ruler.font = font;
    const text = ruler.measureText(input.placeholder).width;
    return input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - text;
  });
  expect(room).toBeGreaterThanOrEqual(0);
});

test("a list of campaigns shows its rows' actions in any window, and sorts by a column", async ({ page }) => {
  await page.goto(list);
  await test.step("a row's menu opens above its button where the window ends", async () => {
    const opener = page.locator("summary[aria-label='More actions for Alpine Touring Preview']");
    await page.setViewportSize({ width: 1280, height: 500 });
    await opener.evaluate((button) => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight + 8));
    await opener.click();
    await expect(page.getByRole("link", { name: "Delete draft" })).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".menu[open] button").first()).toBeInViewport({ ratio: 1 });
    await opener.click();
    await expect(page.locator(".menu[open]")).toHaveCount(0);
  });

  await test.step("on a phone a row's actions are in a sheet that Escape closes", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.getByRole("row").filter({ hasText: "Alpine Touring Preview" });
    const opener = row.getByRole("button", { name: "Actions for Alpine Touring Preview" });
    await opener.click();
    const edit = row.getByRole("link", { name: "Edit Alpine Touring Preview" });
    await expect(edit).toBeInViewport();
    // The menu's actions are among them, not in a menu inside the sheet.
    await expect(row.getByRole("button", { name: "Duplicate" })).toBeInViewport();
    await expect(row.getByRole("link", { name: "Delete draft" })).toBeInViewport();
    await expect(row.locator("summary")).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(edit).toBeHidden();
    await expect(opener).toBeFocused();
  });

  await test.step("a column header sorts by its metric and shows the order", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("link", { name: "ROAS" }).click();
    await expect(page).toHaveURL(/sort=roas/);
    await expect(page.getByRole("columnheader", { name: "ROAS" })).toHaveAttribute("aria-sort", "descending");
    const shown = await page
      .locator("tbody td")
      .filter({ hasText: /^\d+\.\d×$/ })
      .allInnerTexts();
    const ratios = shown.map(Number.parseFloat);
    expect(new Set(ratios).size).toBeGreaterThan(1);
    expect(ratios).toEqual([...ratios].sort((one, other) => other - one));
  });
});

test("a rejected campaign's row shows the whole reason and the link that mends it", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/advertiser/test-mode/campaigns?status=rejected");
  const row = page.getByRole("row").filter({ hasText: "Ultralight Week" });
  const reason = row.getByTitle("Rejected by Harbor Goods", { exact: true });
  await expect(reason).toBeVisible();
  expect(await reason.evaluate((text) => text.scrollHeight <= text.clientHeight + 1)).toBe(true);
  const link = row.getByRole("link", { name: "Edit and resend" });
  await expect(link).toBeVisible();
  const partly = page.getByRole("row").filter({ hasText: "Drift Down Retargeting" });
  await expect(partly.getByTitle(/^Partly rejected by/)).toBeVisible();
  await expect(partly.getByRole("link", { name: "Edit and resend" })).toBeVisible();

  // However long the reason is, the link stays whole in the row's one line of it, and ROAS beside chosen channels.
  await page.goto("/advertiser/test-mode/campaigns?status=rejected&columns=status,channels,budget,impressions,roas");
  await reason.evaluate((text) => {
    text.textContent = "Daily budget spent. Resumes at midnight UTC";
  });
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(57);
  const cell = await row.locator(".place-status").boundingBox();
  const linkBox = await link.boundingBox();
  expect((linkBox?.x ?? 0) + (linkBox?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0) - 10);
  await expect(page.getByRole("columnheader", { name: "ROAS" })).toBeVisible();
});

test("the products' bar sticks to the window while a product is selected, and products have pictures", async ({
  page,
}) => {
  await page.goto("/advertiser/test-mode/products");
  const bar = page.getByRole("form", { name: "Selected products" });
  await expect(bar).not.toBeInViewport();
  await page.getByRole("checkbox", { name: "Select Basecamp 4 Tent" }).check();
  await expect(bar).toBeInViewport();
  const image = page.getByRole("row").filter({ hasText: "Basecamp 4 Tent" }).locator("img");
  await expect
    .poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth))
    .toBe(160);
  await bar.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Delete 1 product?" })).toBeVisible();
});

test("a list without filters is sorted from a select where its table has no head", async ({ page }, { project }) => {
  await page.goto("/publisher/test-mode/revenue");
  const select = page.getByLabel("Sort by");
  await expect(page.getByRole("columnheader", { name: "Amount" })).toBeVisible();
  await expect(select).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await select.selectOption("Oldest first");
  if (project.name === "no-scripting") await page.getByRole("button", { name: "Sort" }).click();
  await expect(page).toHaveURL(/\?sort=oldest$/);
  await expect(select).toHaveValue("oldest");
  const readDays = async () => (await page.locator("tbody .row-name").allInnerTexts()).map((day) => Date.parse(day));
  // The address changes a moment before the rows do.
  await expect(async () => {
    const days = await readDays();
    expect(days.length).toBeGreaterThan(1);
    expect(days).toEqual([...days].sort((one, other) => one - other));
  }).toPass({ timeout: 20_000 });
});

test("a range of activity that ends before it begins has its error at its last day, and a link to it", async ({
  page,
}) => {
  await page.goto("/advertiser/test-mode/activity?from=2026-02-02&to=2026-02-01");
  const to = page.getByLabel("To (UTC)");
  await expect(to).toHaveValue("2026-02-01");
  await expect(to).toHaveAttribute("aria-invalid", "true");
  await expect(to).toHaveAccessibleDescription("Enter a day that is not before the first");
  await page.getByRole("alert").getByRole("link", { name: "Enter a day that is not before the first" }).click();
  await expect(to).toBeFocused();
  await to.fill("2026-02-02");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(to).not.toHaveAttribute("aria-invalid");
});

test("a page that comes in place of a file is shown, and not saved as the file", async ({ browser }) => {
  const page = await newPageAs(browser, "advertiser@example.com");
  const saved: string[] = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));
  await page.goto("/advertiser/campaigns");
  await page
    .getByRole("checkbox", { name: /^Select / })
    .first()
    .check();
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Export CSV" }).click();
  await expect(page).toHaveURL(/\/advertiser\/login/);

  await page.context().addCookies(cookies);
  await page.goto("/advertiser/billing?tab=spend");
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Export CSV" }).click();
  await expect(page).toHaveURL(/\/advertiser\/login/);
  expect(saved).toEqual([]);
});
