import type { Page } from "@playwright/test";

/**
 * Fails requests for the script files that match, until `isLost` is set to false, as in a browser that remembers failed
 * imports: those of a file whose import failed once fail for as long as the page is open.
 */
export async function loseScripts(page: Page, pattern = /\/assets\/.*\.js/): Promise<{ isLost: boolean }> {
  const connection = { isLost: true };
  const failedImports = new Set<string>();
  await page.route(pattern, (route) => {
    const request = route.request();
    const isImport = request.resourceType() === "script";
    if (isImport && connection.isLost) failedImports.add(request.url());
    const fails = connection.isLost || (isImport && failedImports.has(request.url()));
    return fails ? route.abort("connectionrefused") : route.fallback();
  });
  return connection;
}
