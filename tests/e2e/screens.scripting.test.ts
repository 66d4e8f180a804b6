import { expect, type Page } from "@playwright/test";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { expectLooks, looksOf, openWithoutScripting, type Still } from "#tests/support/browser/axe.ts";
import { signIn } from "#tests/support/browser/browser-users.ts";
import { findHydrationFaults } from "#tests/support/browser/hydration-faults.ts";
import { findLayoutFaults, widthsByLoad, widthsOf } from "#tests/support/browser/layout-faults.ts";
import { advertiserScreens, publisherScreens, type Screen, screenUrl } from "#tests/support/browser/screens.ts";
import { test as base } from "#tests/support/browser/test.ts";

const portals = { advertiser: advertiserScreens, publisher: publisherScreens };

/**
 * The pages that a worker uses for all screens that it visits: `live`, a page with a warm cache; `still`, one that
 * shows the same answer of the server as without scripting.
 */
const test = base.extend<object, { live: Page; still: Still }>({
  live: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ baseURL: process.env.E2E_ORIGIN });
      await use(page);
      await page.context().close();
    },
    { scope: "worker" },
  ],
  still: [
    async ({ browser }, use) => {
      const still = await openWithoutScripting(browser);
      await use(still);
      await still.page.context().close();
    },
    { scope: "worker" },
  ],
});

for (const portal of ["advertiser", "publisher"] as const) {
  for (const [place, [name, screen]] of Object.entries(portals[portal]).entries()) {
    test(`${portal}, ${name}: shows its texts in both modes, hydrates as it is, axe finds nothing, and nothing overflows its card`, async ({
      live,
      still,
    }) => {
      const wrong: string[] = [];
      live.removeAllListeners();
      live.on("console", (message) => {
        if (message.type() === "error" && !/404 \(Not Found\)/.test(message.text())) wrong.push(message.text());
      });
      live.on("pageerror", (error) => wrong.push(String(error)));
      await live.context().clearCookies();
      if (screen.as) await signIn(live, screen.as);

      const url = await screenUrl(live, portal, screen);
      const response = await live.goto(url);
      await expectScreen(live, portal, screen);
      await awaitHydration(live);
      expect(await findHydrationFaults(live)).toEqual([]);
      await expectLooks(live, looksOf("scripting", place), "scripting");
      await still.show(live.url(), (await response?.text()) ?? "");
      await expectScreen(still.page, portal, screen);
      await expectLooks(still.page, looksOf("no scripting", place), "no scripting");
      for (const [load, widths] of widthsByLoad(name, widthsOf(place)).entries()) {
        if (load > 0) {
          await live.goto(url);
          await awaitHydration(live);
        }
        expect(await findLayoutFaults(live, widths)).toEqual([]);
      }
      expect(wrong).toEqual([]);
    });
  }
}

async function expectScreen(page: Page, portal: string, screen: Screen): Promise<void> {
  const main = page.locator("main");
  // Read once: an assertion for each text takes as long as the page. One that is not there yet is waited for.
  const shown = withSpaces((await main.textContent()) ?? "");
  const missing = screen.expectedTexts.filter((text) => !shown.includes(withSpaces(text)));
  for (const text of missing) await expect(main).toContainText(text);
  await expect(page).toHaveTitle(/ · Endcap$/);
  const banner = page.getByText(`TEST MODE: You're viewing the ${portal} portal in development mode.`);
  await expect(banner).toBeVisible({ visible: !screen.as });
}

/** As `toContainText` compares: each run of white space is one space. */
function withSpaces(text: string): string {
  return text
    .replace(/[\u200b\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
