import type { Page } from "@playwright/test";

/**
 * Waits until scripting has taken over the page's HTML; a page without scripting or scripts is ready at once. Asks at
 * intervals: by default Playwright asks in each frame, and a page that is asked for frames draws them.
 */
export async function awaitHydration(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      matchMedia("(scripting: none)").matches ||
      !document.querySelector('script[type="module"]') ||
      Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber")),
    undefined,
    { polling: 50 },
  );
}
