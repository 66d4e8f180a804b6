import { expect } from "@playwright/test";
import { signIn } from "#tests/support/browser/browser-users.ts";
import { nextFrames } from "#tests/support/browser/layout-faults.ts";
import { test } from "#tests/support/browser/test.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";

type TraceEvent = { name: string; args: { elementCount?: number } };

const lists = {
  "advertiser@example.com": ["/advertiser/campaigns", "/advertiser/products"],
  "publisher@example.com": ["/publisher/campaigns", "/publisher/audiences"],
};

/**
 * React hydrates a list row by row. A selector with `:has()` whose argument any row can match makes the browser compute
 * the styles of the whole page again after each of them, thirty times for a list of twenty rows.
 */
for (const [email, paths] of Object.entries(lists)) {
  for (const path of isFullFaultRun ? paths : paths.slice(0, 1)) {
    test(`hydrating ${path} computes the styles of few elements again`, async ({ browser, page }) => {
      await signIn(page, email);
      await browser.startTracing(page, { categories: ["devtools.timeline"] });
      await page.goto(path);
      await expect(page.locator("tbody tr").first()).toBeVisible();
      // What is still to be styled then is in the trace too.
      await nextFrames(page);
      const elements = await page.locator("*").count();
      const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
      const styled = traceEvents.flatMap(({ name, args }) =>
        name === "UpdateLayoutTree" ? (args.elementCount ?? 0) : [],
      );
      const total = styled.reduce((sum, count) => sum + count, 0);
      expect(total).toBeGreaterThan(elements / 2);
      expect(total, `${styled} of ${elements} elements`).toBeLessThan(4 * elements);
    });
  }
}
