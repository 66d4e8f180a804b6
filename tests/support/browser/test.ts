import { test as base, type Page, selectors } from "@playwright/test";
import { awaitHydration } from "./await-hydration.ts";

/**
 * Hides the body of each document from Playwright's own scripts, which run apart from the page's. For the message of a
 * failure they would describe all elements of the page at each attempt of an assertion that does not hold yet. Scripts
 * of one's own get there only as a selector engine, which nothing uses.
 */
await selectors.register("hides-body", () => {
  // Only the page's scripts have a registry of custom elements.
  if (customElements === null) Object.defineProperty(document, "body", { value: null });
  return { query: () => null, queryAll: () => [] };
});

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
