import { expect, type Page } from "@playwright/test";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { signIn } from "#tests/support/browser/browser-users.ts";
import { findLayoutFaults, widthsByLoad } from "#tests/support/browser/layout-faults.ts";
import { advertiserScreens, publisherScreens, type Screen, screenUrl } from "#tests/support/browser/screens.ts";
import { test as base } from "#tests/support/browser/test.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";

const portals: Record<"advertiser" | "publisher", Record<string, Screen>> = {
  advertiser: advertiserScreens,
  publisher: publisherScreens,
};

type Look = { colorScheme: "light" | "dark"; javaScriptEnabled: boolean };

/**
 * The test of the screens measures the light scheme with scripting, in the full run at all widths; that one measures
 * the other looks here.
 */
const otherLooks: Look[] = [
  { colorScheme: "dark", javaScriptEnabled: true },
  { colorScheme: "light", javaScriptEnabled: false },
  { colorScheme: "dark", javaScriptEnabled: false },
];
const looks = isFullFaultRun ? otherLooks : [];

/** One page with a warm cache measures all screens of a worker. */
const test = base.extend<object, { pages: Page[] }>({
  pages: [
    async ({ browser }, use) => {
      const pages = await Promise.all(
        looks.map((look) => browser.newPage({ baseURL: process.env.E2E_ORIGIN, reducedMotion: "reduce", ...look })),
      );
      await use(pages);
      await Promise.all(pages.map((page) => page.context().close()));
    },
    { scope: "worker" },
  ],
});

for (const portal of ["advertiser", "publisher"] as const) {
  for (const [name, screen] of Object.entries(isFullFaultRun ? portals[portal] : {})) {
    test(`${portal}, ${name}: nothing overflows its card and no amount wraps at any width`, async ({ pages }) => {
      for (const [index, page] of pages.entries()) {
        await page.context().clearCookies();
        await page.setViewportSize({ width: 1280, height: 844 });
        if (screen.as) await signIn(page, screen.as);
        const url = await screenUrl(page, portal, screen);
        for (const widths of widthsByLoad(name)) {
          await page.goto(url);
          // Otherwise scripting may put the usual content back while it is measured.
          if (looks[index]?.javaScriptEnabled) await awaitHydration(page);
          expect(await findLayoutFaults(page, widths)).toEqual([]);
        }
      }
    });
  }
}
