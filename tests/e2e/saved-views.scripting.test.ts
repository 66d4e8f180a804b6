import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("a column unchecked while the list of the choice before it appears stays unchecked", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns");
  await page.locator(".list-menu > summary").filter({ hasText: "Columns" }).click();
  let requests = 0;
  let answerSecond = () => {};
  const secondAnswered = new Promise<void>((resolve) => {
    answerSecond = resolve;
  });
  await page.route(/\.data\?.*columns=/, async (route) => {
    requests += 1;
    if (requests === 2) await secondAnswered;
    await route.continue();
  });
  // The router puts the URL of a choice into the history before the list is rendered again.
  await page.evaluate(() => {
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (...args: Parameters<typeof replaceState>) => {
      replaceState(...args);
      if (!String(args[2]).includes("columns=")) return;
      history.replaceState = replaceState;
      queueMicrotask(() => document.querySelector<HTMLInputElement>("input[name=columns][value=dates]")?.click());
    };
  });
  await page.getByRole("checkbox", { name: "Impressions" }).uncheck();
  await expect.poll(() => requests).toBe(2);
  await expect(page.getByRole("columnheader", { name: "Impressions" })).toHaveCount(0);
  expect(await page.getByRole("checkbox", { name: "Dates" }).isChecked()).toBe(false);
  answerSecond();
  await expect(page.getByRole("columnheader", { name: "Dates" })).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: "Dates" })).not.toBeChecked();
});
