import { test as base, expect, type Page } from "@playwright/test";
import { expectLooks, openStill, type Still } from "#tests/support/axe.ts";
import { signIn } from "#tests/support/browser-actors.ts";
import { addressOf, advertiserScreens, publisherScreens, type Screen } from "#tests/support/screens.ts";

const portals = { advertiser: advertiserScreens, publisher: publisherScreens };

/**
 * What a worker keeps for all screens that it walks: `live`, a page with a warm cache; `still`, one that shows the same
 * answer of the server as without scripting.
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
      const still = await openStill(browser);
      await use(still);
      await still.page.context().close();
    },
    { scope: "worker" },
  ],
});

/** Each mode has each width and each scheme, and the two together every look: with scripting and without the styles are nearly the same. */
const looks = {
  scripting: [
    { width: 1280, colorScheme: "dark" },
    { width: 390, colorScheme: "light" },
  ],
  "no scripting": [
    { width: 1280, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ],
} as const;

for (const portal of ["advertiser", "publisher"] as const) {
  for (const [name, screen] of Object.entries(portals[portal])) {
    test(`${portal}, ${name}: says what it should in both modes, and axe finds nothing in any look`, async ({
      live,
      still,
    }) => {
      const wrong: string[] = [];
      live.removeAllListeners();
      live.on("console", (message) => {
        if (message.type() === "error" && !/404 \(Not Found\)/.test(message.text())) wrong.push(message.text());
      });
      live.on("pageerror", (error) => wrong.push(String(error)));
      for (const page of [live, still.page]) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      }
      await live.context().clearCookies();
      if (screen.as) await signIn(live, screen.as);

      const answer = await live.goto(await addressOf(live, portal, screen));
      await expectScreen(live, portal, screen);
      await expectLooks(live, looks.scripting, "scripting");
      await still.show(live.url(), (await answer?.text()) ?? "");
      await expectScreen(still.page, portal, screen);
      await expectLooks(still.page, looks["no scripting"], "no scripting");
      expect(wrong).toEqual([]);
    });
  }
}

async function expectScreen(page: Page, portal: string, screen: Screen): Promise<void> {
  for (const words of screen.says) await expect(page.locator("main")).toContainText(words);
  await expect(page).toHaveTitle(/ · Endcap$/);
  const banner = page.getByText(`TEST MODE: You're viewing the ${portal} portal in development mode.`);
  await expect(banner).toBeVisible({ visible: !screen.as });
}
