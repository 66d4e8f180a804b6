import { expect, type Page } from "@playwright/test";
import { postgres } from "#db/driver.server.ts";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { expectLooks, looksOf, openWithoutScripting } from "#tests/support/browser/axe.ts";
import { registerCompany } from "#tests/support/browser/browser-users.ts";
import { findLayoutFaults, widthsOf } from "#tests/support/browser/layout-faults.ts";
import { insertManyRows, manyRows } from "#tests/support/browser/many-rows.ts";
import { emptyAccountScreens, fullAccountScreens } from "#tests/support/browser/screens-by-size.ts";
import { test } from "#tests/support/browser/test.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";

/** Every screen is seen in both modes with the data of the demo; in the small run these are seen in one, in turn. */
const isSeen = (mode: "scripting" | "no scripting", place: number) =>
  isFullFaultRun || (place % 2 === 0) === (mode === "scripting");

for (const portal of ["advertiser", "publisher"] as const) {
  test(`the ${portal}'s screens of an account that has nothing yet say what comes next, and nothing overflows`, async ({
    page,
    browser,
  }) => {
    test.setTimeout(600_000);
    await registerCompany(page, portal);
    const still = await openWithoutScripting(browser);
    for (const [place, [path, text]] of Object.entries(emptyAccountScreens[portal]).entries()) {
      const subject = `empty ${portal} ${path}`;
      const html = await openScreen(page, `/${portal}${path}`, text);
      await expect(page.locator("main"), subject).not.toContainText("Showing 0");
      if (isSeen("scripting", place)) await expectLooks(page, looksOf("scripting", place), `${subject}, scripting`);
      if (isSeen("no scripting", place)) {
        await still.show(page.url(), html);
        await expect(still.page.locator("main")).toContainText(text);
        await expectLooks(still.page, looksOf("no scripting", place), `${subject}, no scripting`);
      }
      expect(await findLayoutFaults(page, widthsOf(place)), subject).toEqual([]);
    }
    await still.page.context().close();
  });
}

test(`the lists of accounts with ${manyRows} rows show a page at a time, and nothing overflows`, async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000);
  const publisherPage = await (await browser.newContext()).newPage();
  const owners = {
    advertiser: await registerCompany(page, "advertiser", "Ten Thousand & Co"),
    publisher: await registerCompany(publisherPage, "publisher", "Ten Thousand Goods"),
  };
  const sql = postgres(process.env.E2E_DATABASE ?? "", { max: 1, onnotice: () => undefined });
  await insertManyRows(sql, owners);
  await sql.end();
  const still = await openWithoutScripting(browser);
  for (const [portal, live] of [
    ["advertiser", page],
    ["publisher", publisherPage],
  ] as const) {
    for (const [place, [path, text]] of Object.entries(fullAccountScreens[portal]).entries()) {
      const subject = `full ${portal} ${path}`;
      const html = await openScreen(live, `/${portal}${path}`, text);
      await expect(live.locator("main tbody tr"), subject).toHaveCount(25);
      if (isSeen("scripting", place)) await expectLooks(live, looksOf("scripting", place), `${subject}, scripting`);
      if (isSeen("no scripting", place)) {
        await still.show(live.url(), html);
        await expectLooks(still.page, looksOf("no scripting", place), `${subject}, no scripting`);
      }
      expect(await findLayoutFaults(live, widthsOf(place)), subject).toEqual([]);
      await live.setViewportSize({ width: 390, height: 844 });
      await live.getByRole("link", { name: "Next", exact: true }).click();
      await expect(live).toHaveURL(/cursor=/);
      await expect(live.locator("main tbody tr"), subject).toHaveCount(25);
    }
  }
  await still.page.context().close();
  await publisherPage.context().close();
});

/** Opens the screen with scripting alive and returns the server's response. */
async function openScreen(page: Page, path: string, text: string): Promise<string> {
  await page.setViewportSize({ width: 1280, height: 844 });
  const response = await page.goto(path);
  await expect(page.locator("main")).toContainText(text);
  await awaitHydration(page);
  return (await response?.text()) ?? "";
}
