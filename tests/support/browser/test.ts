import { test as base, type Page } from "@playwright/test";
import { awaitHydration } from "./await-hydration.ts";

/** Playwright's `test`, whose page is ready for use when it has been opened. */
export const test = base.extend({
  page: async ({ page }, use) => {
    await use(awaitHydrationAfterLoads(page));
  },
});

/**
 * Lets `goto` and `reload` of a page wait for hydration, unless they say what else they wait for. A form that is
 * submitted between the end of loading and hydration is sent as without scripting, which few tests are about.
 */
export function awaitHydrationAfterLoads(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await awaitHydration(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await awaitHydration(page);
    return response;
  };
  return page;
}
