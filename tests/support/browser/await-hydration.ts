import type { Page } from "@playwright/test";

/**
 * Waits until scripting has taken over the page's HTML; a page without scripting or scripts is ready at once. Asks at
 * intervals: by default Playwright asks in each frame, and a page that is asked for frames draws them. The page is idle
 * once React has run the effects of the hydration, which listen to keys.
 */
export async function awaitHydration(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      if (matchMedia("(scripting: none)").matches || !document.querySelector('script[type="module"]')) return true;
      const isHydrated = Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber"));
      return isHydrated && new Promise((idle) => requestIdleCallback(() => idle(true), { timeout: 2_000 }));
    },
    undefined,
    { polling: 50 },
  );
}
