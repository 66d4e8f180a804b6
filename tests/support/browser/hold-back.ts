import type { Page } from "@playwright/test";

/** Holds requests that match back from the server, of one method or of all. Returns what lets them go. */
export async function holdBack(page: Page, url: string | RegExp, method?: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await held;
    await route.continue();
  });
  return release;
}
