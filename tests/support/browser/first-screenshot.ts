import type { Page } from "@playwright/test";

/** Returns the URL of the first screenshot of a public page, as the browser chose it. */
export function firstScreenshot(page: Page): Promise<string> {
  return page
    .locator(".screenshot img")
    .first()
    .evaluate((image: HTMLImageElement) => image.currentSrc);
}
