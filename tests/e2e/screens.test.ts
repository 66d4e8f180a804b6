import { test as base, expect, type Page } from "@playwright/test";
import { findViolations, openStill } from "#tests/support/axe.ts";
import { signIn } from "#tests/support/browser-actors.ts";
import { addressOf, advertiserScreens, publisherScreens } from "#tests/support/screens.ts";

const portals = { advertiser: advertiserScreens, publisher: publisherScreens };
/**
 * One page for all screens that a worker walks, with a warm cache, and each looked at afresh; `shown` is where axe looks
 * at it: the page itself, or one that shows it as without scripting.
 */
const test = base.extend<object, { walked: Page; shown: { page: Page; show: (other: Page) => Promise<void> } }>({
  walked: [
    async ({ browser }, use, { project }) => {
      const javaScriptEnabled = project.name === "scripting";
      const page = await browser.newPage({ baseURL: process.env.E2E_ORIGIN, javaScriptEnabled });
      await use(page);
      await page.context().close();
    },
    { scope: "worker" },
  ],
  shown: [
    async ({ browser, walked }, use, { project }) => {
      if (project.name === "scripting") return use({ page: walked, show: async () => {} });
      const still = await openStill(browser);
      await use(still);
      await still.page.context().close();
    },
    { scope: "worker" },
  ],
});

const light = "light" as const;
const dark = "dark" as const;

/** Each mode has each width and each scheme, and the two together every look: with scripting and without the styles are nearly the same. */
const looks = {
  scripting: [
    { width: 1280, colorScheme: dark },
    { width: 390, colorScheme: light },
  ],
  "no-scripting": [
    { width: 1280, colorScheme: light },
    { width: 390, colorScheme: dark },
  ],
};

for (const portal of ["advertiser", "publisher"] as const) {
  for (const [name, screen] of Object.entries(portals[portal])) {
    test(`${portal}, ${name}: says what it should, and axe finds nothing in any look`, async ({ walked: page, shown }, {
      project,
    }) => {
      const wrong: string[] = [];
      page.removeAllListeners();
      page.on("console", (message) => {
        if (message.type() === "error" && !/404 \(Not Found\)/.test(message.text())) wrong.push(message.text());
      });
      page.on("pageerror", (error) => wrong.push(String(error)));
      await page.setViewportSize({ width: 1280, height: 844 });
      await page.emulateMedia({ colorScheme: light, reducedMotion: "reduce" });
      await page.context().clearCookies();
      if (screen.as) await signIn(page, screen.as);
      await page.goto(await addressOf(page, portal, screen));
      for (const words of screen.says) await expect(page.locator("main")).toContainText(words);
      await expect(page).toHaveTitle(/ · Endcap$/);
      const banner = page.getByText(`TEST MODE: You're viewing the ${portal} portal in development mode.`);
      await expect(banner).toBeVisible({ visible: !screen.as });

      await shown.show(page);
      const there = shown.page;
      for (const { width, colorScheme } of looks[project.name === "scripting" ? "scripting" : "no-scripting"]) {
        await there.setViewportSize({ width, height: 844 });
        await there.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        // New colours take a frame.
        await there.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        expect(await findViolations(there), `${width} ${colorScheme}`).toEqual([]);
        const overflow = await there.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `wider than ${width} pixels`).toBeLessThanOrEqual(0);
      }
      expect(wrong).toEqual([]);
    });
  }
}
